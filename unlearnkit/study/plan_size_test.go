package study

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// manyWorlds returns a plan of n runs: worlds with a model, eight methods that start from it, their scores, and a table
// of each world's scores.
func manyWorlds(n int) *Plan {
	p := &Plan{}
	for w := 0; len(p.runs) < n; w++ {
		model := manyStage.Add(p, "model", 10, manySpec{World: w})
		var scores []Input
		for m := range 8 {
			method := manyStage.Add(p, "method", 2, manySpec{w, m + 1, []Input{model.Input()}})
			scores = append(scores, manyStage.Add(p, "scores", 1, manySpec{w, -m - 1, []Input{method.Input()}}).Input())
		}
		manyStage.Add(p, "table", 1, manySpec{w, 100, scores})
	}
	return p
}

type manySpec struct {
	World, Method int
	From          []Input
}

var manyStage = Stage[manySpec]{Name: "test/many", Version: 1}

// BenchmarkPlan measures the parts of a large study: its plan and memory, the distribution among shards, what is
// missing from an empty store, and the bookkeeping of execution without the store.
//
//	go test ./unlearnkit/study -run '^$' -bench Plan -benchtime 1x
func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{1000, 3000, 10000, 30000} {
		b.Run(fmt.Sprintf("runs=%d/plan", n), func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var p *Plan
			for b.Loop() {
				p = manyWorlds(n)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB")
			runtime.KeepAlive(p)
		})
		p := manyWorlds(n)
		b.Run(fmt.Sprintf("runs=%d/shards", n), func(b *testing.B) {
			for b.Loop() {
				p.shards(100)
			}
		})
		b.Run(fmt.Sprintf("runs=%d/missing", n), func(b *testing.B) {
			s, err := store.Open(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if missing, err := p.Missing(s); err != nil || len(missing) != len(p.runs) {
					b.Fatal(len(missing), err)
				}
			}
		})
		b.Run(fmt.Sprintf("runs=%d/execute", n), func(b *testing.B) {
			for b.Loop() {
				e := newExecution(p, nil, Makers{}, Options{Report: func(progress.Status) {}}, p.runs)
				for run := e.next(b.Context()); run != nil; run = e.next(b.Context()) {
					e.finish(run, nil)
				}
				if e.count[made] != len(p.runs) {
					b.Fatalf("made %d of %d runs", e.count[made], len(p.runs))
				}
			}
		})
	}
}
