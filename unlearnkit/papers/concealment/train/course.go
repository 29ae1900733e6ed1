package train

import "github.com/unlearnlab/unlearnlab/unlearnkit/study"

// course is the progress of a run in several parts. All parts are assumed to take equally long.
type course struct {
	progress  study.Progress
	begun, of int
}

func newCourse(progress study.Progress, of int) *course { return &course{progress: progress, of: of} }

// next begins the next part of the run, and returns the function to which that part reports its progress.
func (p *course) next() func(done, of int) {
	const scale = 1000
	before := p.begun * scale
	p.begun++
	return func(done, of int) {
		if p.progress != nil {
			p.progress(before+done*scale/max(1, of), p.of*scale)
		}
	}
}
