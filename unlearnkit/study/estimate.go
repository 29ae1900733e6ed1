package study

import (
	"errors"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Estimate is about how long some runs of the plan take one after another, as long as those that a store has took: by
// the cost of each, at the rate of its stage, or of all stages where none of its own was ever made. It is false where
// nothing is there to go by.
func (p *Plan) Estimate(s *store.Store, runs []*Run) (total time.Duration, known bool, err error) {
	var all pace
	by := map[store.Stage]*pace{}
	for _, run := range p.runs {
		artifact, err := s.Get(run.Key())
		if errors.Is(err, store.ErrAbsent) {
			continue
		}
		if err != nil {
			return 0, false, err
		}
		if by[run.Stage] == nil {
			by[run.Stage] = &pace{}
		}
		for _, part := range []*pace{&all, by[run.Stage]} {
			part.seconds, part.cost = part.seconds+artifact.Manifest.Wall, part.cost+run.Cost
		}
	}
	if !(all.cost > 0) {
		return 0, false, nil
	}
	seconds := 0.
	for _, run := range runs {
		of := by[run.Stage]
		if of == nil || !(of.cost > 0) {
			of = &all
		}
		seconds += run.Cost * of.seconds / of.cost
	}
	return time.Duration(seconds * float64(time.Second)), true, nil
}

// pace is what some runs took, and what they cost.
type pace struct{ seconds, cost float64 }
