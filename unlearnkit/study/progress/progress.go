package progress

import "time"

// Status is the progress of executing a plan.
type Status struct {
	Runs, Made, Found int // total; made by this call; found in the store
	Running           []Running
	Elapsed           time.Duration
	Left              time.Duration // estimated remaining time; negative if unknown
	Failed            []string      // titles of failed runs
}

// Running is a run in progress.
type Running struct {
	Title    string
	Done, Of int // finished and total work; both 0 before the first report
}
