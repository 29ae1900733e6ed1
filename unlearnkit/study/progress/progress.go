package progress

import (
	"fmt"
	"strings"
	"time"
)

// Status is the progress of executing a plan, or the part of it that a shard makes and needs.
type Status struct {
	Runs, Made, Found int // total; made by this call; found in the store
	Running           []Running
	Awaited           int // runs that other processes make
	Elapsed           time.Duration
	Left              time.Duration // estimated remaining time; negative if unknown
	Failed            []string      // titles of failed runs
}

// Running is a run in progress.
type Running struct {
	Title    string
	Done, Of int // finished and total work; both 0 before the first report
}

// Ended reports whether no run is left.
func (s Status) Ended() bool { return len(s.Running) == 0 && s.Made+s.Found+len(s.Failed) >= s.Runs }

// String describes the progress in one line: how many runs are done, how long they took or the rest will take, how
// many have failed, and which are running or what this process waits for.
func (s Status) String() string {
	text := fmt.Sprintf("%d of %d runs", s.Made+s.Found, s.Runs)
	if s.Ended() {
		text += " in " + Brief(s.Elapsed)
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
	if len(now) == 0 && s.Awaited == 1 {
		now = append(now, "waiting for a run of another process")
	}
	if len(now) == 0 && s.Awaited > 1 {
		now = append(now, fmt.Sprintf("waiting for %d runs of other processes", s.Awaited))
	}
	if len(now) > 0 {
		text += ": " + strings.Join(now, "; ")
	}
	return text
}

// Brief formats a duration with few digits.
func Brief(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
