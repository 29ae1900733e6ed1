package kernelext

import (
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
)

// Runs shows the progress of a study's runs on one line, with a bar in a notebook. Pass the result as Options.Report:
//
//	plan.Execute(ctx, store, makers, study.Options{Workers: 2, Report: kx.Runs("my method")})
//
// It shows nothing if no run is missing.
func Runs(title string) (report func(progress.Status)) {
	r := &runsBar{title: title, strip: newStrip()}
	return r.report
}

type runsBar struct {
	mu       sync.Mutex
	title    string
	finished bool
	strip
}

// report draws the line at intervals. A run counts as a hundred steps, so that the bar also moves during a run.
func (r *runsBar) report(s progress.Status) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ended := s.Made + s.Found + len(s.Failed)
	if r.finished || !s.Ended() && !r.due() {
		return
	}
	r.finished = s.Ended()
	done := 100 * ended
	for _, now := range s.Running {
		if now.Of > 0 {
			done += 100 * now.Done / now.Of
		}
	}
	r.show(r.title+": "+s.String(), done, 100*s.Runs, r.finished)
	if r.finished {
		flush()
	}
}
