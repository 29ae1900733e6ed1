package study

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
)

// firstWord is the share of the work that must be done before the remaining time is estimated. The first steps of a run
// are slower, because they include compilation.
const firstWord = .01

// report sends the plan's progress to the caller of Execute. The execution's lock must be held.
func (e *execution) report() {
	if e.options.Report == nil {
		return
	}
	status := progress.Status{Runs: len(e.plan.runs) - e.count[skipped], Found: e.count[found], Made: e.count[made],
		Awaited: e.count[busy] + e.count[elsewhere], Elapsed: time.Since(e.began), Failed: e.failed, Left: -1}
	spent, rest := e.cost[made], e.cost[waiting]+e.cost[busy]+e.cost[making] // in the runs' unit of cost
	running := slices.SortedFunc(maps.Keys(e.progress), func(a, b *Run) int {
		return cmp.Compare(e.order[a], e.order[b])
	})
	for _, run := range running {
		now := e.progress[run]
		status.Running = append(status.Running, now)
		share := 0.0
		if now.Of > 0 {
			share = float64(now.Done) / float64(now.Of)
		}
		spent += share * run.Cost
		rest -= share * run.Cost
	}
	if status.Ended() {
		status.Left = 0
	} else if len(running) > 0 && spent > firstWord*(spent+rest) {
		status.Left = time.Duration(float64(status.Elapsed-e.idle) * rest / spent)
	}
	e.options.Report(status)
}
