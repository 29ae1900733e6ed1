package study

import (
	"errors"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// NothingError is the error for a preset without runs to publish.
type NothingError struct{ Preset string }

func (e *NothingError) Error() string {
	return fmt.Sprintf("there are no results of the preset %s to publish yet", e.Preset)
}

// Publish writes runs of the plan into a folder. It skips runs that are missing in the store or that the study does not
// publish.
func (p *PresetPlan) Publish(s *store.Store, folder string) error {
	if p.Published == nil {
		return &Unsupported{p.paper, "form in which its results are published"}
	}
	var runs []publish.Run
	for _, run := range p.Runs() {
		artifact, err := s.Get(run.Key())
		if errors.Is(err, store.ErrAbsent) {
			continue
		}
		if err != nil {
			return err
		}
		if published, passedOn := p.Published(run, artifact); passedOn {
			runs = append(runs, published)
		}
	}
	if len(runs) == 0 {
		return &NothingError{p.Preset}
	}
	return publish.Write(folder, runs)
}
