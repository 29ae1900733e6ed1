package unlearn

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train/traintest"
)

// repaired is a method of two phases that both read the frozen model: what a resumed run must get right is all in it.
func repaired() Method {
	near := func(m Models, b Batch, stream string) *graph.Node {
		image := b.Of(stream, Image)
		return SquaredError(m.Policy.Image(image), m.Reference.Image(image))
	}
	return Method{Name: "repaired", Reference: true, Phases: func(Plan) []Phase {
		return []Phase{
			{Name: "push", Streams: []string{Forget, Retain}, Batch: 2, Rate: optim.Constant(0.01),
				Loss: func(m Models, b Batch) *graph.Node {
					return graph.Sub(near(m, b, Retain),
						Contrast(m.Policy, b.Of(Forget, Image), b.Shuffled(b.Of(Forget, Caption))))
				}},
			{Name: "pull", Streams: []string{Retain, Forget}, Batch: 3, Rate: optim.Linear{Peak: 0.01, Steps: 60},
				Loss: func(m Models, b Batch) *graph.Node {
					return graph.Add(near(m, b, Forget), Contrast(m.Policy, b.Of(Retain, Image), b.Of(Retain, Caption)))
				}},
		}
	}}
}

// large is a run of 50 and 3·34 steps.
func large(t *testing.T) Job {
	j := newJob(t, repaired(), 1, 2, 3)
	j.Task = linear{plain{Forget: noise("forget", 100), Retain: noise("retain", 100)}}
	return j
}

// runInto leaves the policy at each budget, the frozen model at the last, and the log.
func runInto(t *testing.T, j Job, folder string) error {
	write := func(name, scope string) error {
		var all []safefile.TensorData
		for path, data := range contents(t, j.Store, scope) {
			all = append(all, safefile.TensorOfBytes(path, safefile.U8, []int{len(data)}, []byte(data)))
		}
		return safefile.WriteTensors(filepath.Join(folder, name), all, nil)
	}
	j.Snapshot = func(_ context.Context, budget int) error {
		return errors.Join(write(fmt.Sprint("policy-", budget), Policy),
			write(fmt.Sprint("reference-", budget), reference))
	}
	result, err := j.Run(t.Context())
	if err != nil {
		return err
	}
	return result.Log.WriteParquet(filepath.Join(folder, "log.parquet"))
}

const process = "UNLEARN_TEST_FOLDER"

func TestRunInAProcess(t *testing.T) {
	folder := os.Getenv(process)
	if folder == "" {
		t.Skip("part of the test with kills")
	}
	j := large(t)
	j.Folder, j.CheckpointEvery = folder, time.Millisecond
	j.Progress = func(done, _ int) { fmt.Printf("%s%d\n", traintest.Mark, done) }
	if err := runInto(t, j, folder); err != nil {
		t.Fatal(err)
	}
}

func TestARunThatIsKilledAgainAndAgainEndsWithTheSameBytes(t *testing.T) {
	watch(t)
	calm, killed := t.TempDir(), t.TempDir()
	if err := runInto(t, large(t), calm); err != nil {
		t.Fatal(err)
	}
	steps := traintest.Kill(t, "TestRunInAProcess", []string{process + "=" + killed}, 6, 30)
	t.Logf("steps by process: %v", steps)
	if last := steps[len(steps)-1]; last >= 152 {
		t.Errorf("%v steps: nothing was gone on with", steps)
	}
	for _, name := range []string{"policy-1", "policy-2", "policy-3", "reference-1", "reference-2", "reference-3",
		"log.parquet"} {
		want, err := os.ReadFile(filepath.Join(calm, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(killed, name)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
}

// cancelled runs a job until so many steps are done, and returns the budgets for which Snapshot was called.
func cancelled(t *testing.T, j Job, after int) (called []int, err error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	j.Snapshot = func(_ context.Context, budget int) error { called = append(called, budget); return nil }
	j.Progress = func(done, _ int) {
		if done == after {
			cancel()
		}
	}
	_, err = j.Run(ctx)
	return called, err
}

func TestAResumedRunIsJudgedAtTheBudgetAtWhichItGoesOnAndLaterOnes(t *testing.T) {
	watch(t)
	folder := t.TempDir()
	var last Job
	for _, test := range []struct {
		after int // of 50 steps of the first phase and 34 a pass of the second
		want  []int
	}{{20, nil}, {60, nil}, {84, []int{1}}, {90, []int{1}}, {130, []int{2}}, {1000, []int{3}}} {
		last = large(t)
		last.Folder = folder
		called, err := cancelled(t, last, test.after)
		if !slices.Equal(called, test.want) || errors.Is(err, context.Canceled) != (test.after < 1000) || err != nil &&
			strings.Contains(err.Error(), "\n") {
			t.Errorf("to step %d: judged at %v, want %v; %v", test.after, called, test.want, err)
		}
	}
	whole := large(t)
	if _, err := whole.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if names := differing(contents(t, whole.Store, Policy), contents(t, last.Store, Policy)); len(names) > 0 {
		t.Errorf("after five interruptions %v differ", names)
	}
}

func TestARunDoesNotGoOnFromTheCheckpointOfAnother(t *testing.T) {
	watch(t)
	for name, change := range map[string]func(j *Job){
		"another identity": func(j *Job) { j.Identity = "another" },
		"another start": func(j *Job) {
			if err := change(j.Store.GetVariable("/"+Policy+"/image/bias"), func(values []float64) {
				values[0]++
			}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		j := large(t)
		j.Folder = t.TempDir()
		if _, err := cancelled(t, j, 10); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		other := large(t)
		other.Folder = j.Folder
		change(&other)
		if _, err := other.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "is of another training") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	j := large(t)
	j.Folder = t.TempDir()
	if _, err := cancelled(t, j, 10); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "is of another training") {
		t.Errorf("from a policy on the way: %v", err)
	}
}
