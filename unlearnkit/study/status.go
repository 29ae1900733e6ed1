package study

import "github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"

import "time"

// firstWord is the share of the work that must be done before it is said how long the rest will take: the first steps
// of a run are those that compile.
const firstWord = .01

// report tells how far the plan is; the lock is held.
func (e *execution) report() {
	if e.options.Report == nil {
		return
	}
	status := progress.Status{Runs: len(e.plan.runs), Elapsed: time.Since(e.began), Failed: e.failed, Left: -1}
	spent, rest := 0.0, 0.0 // in the runs' unit of cost
	for _, run := range e.plan.runs {
		switch e.state[run] {
		case found:
			status.Found++
		case made:
			status.Made++
			spent += run.Cost
		case making:
			now := e.progress[run]
			status.Running = append(status.Running, now)
			share := 0.0
			if now.Of > 0 {
				share = float64(now.Done) / float64(now.Of)
			}
			spent += share * run.Cost
			rest += (1 - share) * run.Cost
		case waiting, busy:
			rest += run.Cost
		}
	}
	if spent > firstWord*(spent+rest) {
		status.Left = time.Duration(float64(status.Elapsed) * rest / spent)
	}
	e.options.Report(status)
}
