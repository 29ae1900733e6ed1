package bucket

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// number is the spec of a run that does nothing, so that only its overhead is measured.
type number struct {
	Series int64
	N      int
	From   []study.Input
}

var numbers = study.Stage[number]{Name: "test/number", Version: 1}

// pairs plans n runs in pairs. The second run of a pair reads the file of the first.
func pairs(series int64, n int) *study.Plan {
	p := &study.Plan{}
	for i := 0; i < n; i += 2 {
		first := numbers.Add(p, fmt.Sprintf("run %d", i), 1, number{series, i, nil})
		numbers.Add(p, fmt.Sprintf("run %d", i+1), 1, number{series, i + 1, []study.Input{first.Input()}})
	}
	return p
}

var makeNumber = study.NewMakers(numbers.By(
	func(_ context.Context, spec number, _ study.Inputs, w *store.Work, _ study.Progress) error {
		return os.WriteFile(w.Path("number.txt"), fmt.Append(nil, spec.N), 0o644)
	}))

// counted counts requests.
type counted struct {
	store.Objects
	requests *atomic.Int64
}

func (c counted) Read(ctx context.Context, name string) (io.ReadCloser, error) {
	c.requests.Add(1)
	return c.Objects.Read(ctx, name)
}

func (c counted) Write(ctx context.Context, name string, content io.ReadSeeker) error {
	c.requests.Add(1)
	return c.Objects.Write(ctx, name, content)
}

func (c counted) WriteNew(ctx context.Context, name string, content []byte) error {
	c.requests.Add(1)
	return c.Objects.WriteNew(ctx, name, content)
}

func (c counted) Delete(ctx context.Context, name string) error {
	c.requests.Add(1)
	return c.Objects.Delete(ctx, name)
}

func (c counted) List(ctx context.Context, prefix string) ([]store.Object, error) {
	c.requests.Add(1)
	return c.Objects.List(ctx, prefix)
}

// BenchmarkTasks measures the overhead of a run if 1, 2, 4 or 8 tasks, each with its own folder, share a plan: in one
// folder without objects, and through the objects of $UNLEARNLAB_STORE or a temporary folder.
//
//	UNLEARNLAB_STORE=s3://… go test ./unlearnkit/study/store/bucket -run '^$' -bench Tasks -benchtime 1x
func BenchmarkTasks(b *testing.B) {
	const runs = 200
	address := os.Getenv(Variable)
	if address == "" {
		address = "file://" + b.TempDir()
	}
	for _, shared := range []bool{false, true} {
		for _, tasks := range []int{1, 2, 4, 8} {
			name := fmt.Sprintf("folder/tasks=%d", tasks)
			if shared {
				name = fmt.Sprintf("shared/tasks=%d", tasks)
			}
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					series, folder := time.Now().UnixNano(), b.TempDir()
					var requests atomic.Int64
					var all sync.WaitGroup
					for i := range tasks {
						all.Go(func() {
							var options []store.Option
							home := folder
							if shared {
								objects, err := open(b.Context(), address)
								if err != nil {
									b.Error(err)
									return
								}
								options = append(options, store.Shared(counted{objects, &requests}))
								home = b.TempDir()
							}
							s, err := store.Open(home, options...)
							if err == nil {
								err = pairs(series, runs).Execute(b.Context(), s, makeNumber, study.Options{
									Shard: study.Shard{Index: i, Of: tasks, Patience: time.Minute}})
							}
							if err != nil {
								b.Error(err)
							}
						})
					}
					all.Wait()
					b.ReportMetric(float64(requests.Load())/runs, "requests/run")
				}
				b.ReportMetric(float64(b.Elapsed().Milliseconds())*float64(tasks)/float64(b.N)/runs, "task-ms/run")
			})
		}
	}
}
