package study

import (
	"errors"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Estimate returns the expected time for runs of the plan, one after another. It multiplies their costs by the time per
// cost of the stored runs of the same stage. It does not fetch runs from other machines. If the stage has no stored
// runs, it uses all stages. known is false if no run is stored.
func (p *Plan) Estimate(s *store.Store, runs []*Run) (total time.Duration, known bool, err error) {
	var all pace
	by := map[store.Stage]*pace{}
	for _, run := range p.runs {
		artifact, err := s.Kept(run.Key())
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

// pace holds the total time and the total cost of several runs.
type pace struct{ seconds, cost float64 }
