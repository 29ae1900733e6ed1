package study

import "github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"

import "time"

// firstWord is the share of the work that must be done before the remaining time is estimated. The first steps of a run
// are slower, because they include compilation.
const firstWord = .01

// report sends the plan's progress to the caller of Execute. The execution's lock must be held.
func (e *execution) report() {
	if e.options.Report == nil {
		return
	}
	status := progress.Status{Runs: len(e.plan.runs), Elapsed: time.Since(e.began), Failed: e.failed, Left: -1}
	spent, rest := 0.0, 0.0 // in the plan's unit of cost
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
