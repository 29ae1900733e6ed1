package progress

import "time"

// Status is how far a plan is.
type Status struct {
	Runs, Made, Found int // in all; made now; there before
	Running           []Running
	Elapsed           time.Duration
	Left              time.Duration // by the runs' costs; negative while nothing can be said
	Failed            []string      // titles
}

// Running is a run that is being made.
type Running struct {
	Title    string
	Done, Of int // 0 of 0 before the first word
}
