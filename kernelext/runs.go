package kernelext

import (
	"fmt"
	"strings"
	"sync"
	"time"

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
	finished := ended >= s.Runs && len(s.Running) == 0
	if r.finished || !finished && !r.due() {
		return
	}
	r.finished = finished
	done := 100 * ended
	for _, now := range s.Running {
		if now.Of > 0 {
			done += 100 * now.Done / now.Of
		}
	}
	r.show(r.title+": "+describe(s, finished), done, 100*s.Runs, finished)
	if finished {
		flush()
	}
}

// describe describes the progress of the runs: how many are done, how long the rest will take, how many have failed,
// and which are running.
func describe(s progress.Status, finished bool) string {
	text := fmt.Sprintf("%d of %d runs", s.Made+s.Found, s.Runs)
	if finished {
		text += " in " + brief(s.Elapsed)
	} else if s.Left >= 0 {
		text += ", " + s.Left.Round(time.Second).String() + " left"
	}
	if len(s.Failed) > 0 {
		text += fmt.Sprintf(", %d failed", len(s.Failed))
	}
	var now []string
	for _, r := range s.Running {
		if r.Of > 0 {
			now = append(now, fmt.Sprintf("%s %d %%", r.Title, 100*r.Done/r.Of))
		} else {
			now = append(now, r.Title)
		}
	}
	if len(now) > 0 {
		text += ": " + strings.Join(now, "; ")
	}
	return text
}
