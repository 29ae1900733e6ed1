package train

import "github.com/unlearnlab/unlearnlab/unlearnkit/study"

// partsProgress tracks the progress of a run that has several parts. It assumes that all parts take equally long.
type partsProgress struct {
	progress  study.Progress
	begun, of int
}

func newPartsProgress(progress study.Progress, of int) *partsProgress {
	return &partsProgress{progress: progress, of: of}
}

// next returns the progress callback of the next part.
func (p *partsProgress) next() func(done, of int) {
	const scale = 1000
	before := p.begun * scale
	p.begun++
	return func(done, of int) {
		if p.progress != nil {
			p.progress(before+done*scale/max(1, of), p.of*scale)
		}
	}
}
