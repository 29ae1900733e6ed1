package study

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Absent is the error for results that cannot be read because some runs have not been computed.
type Absent struct{ Runs []*Run }

func (a *Absent) Error() string {
	return fmt.Sprintf("%d runs are not made yet, the first is %q", len(a.Runs), a.Runs[0].Title)
}

// Complete returns an [Absent] error if the store lacks runs of the plan.
func (p *Plan) Complete(s *store.Store) error {
	missing, err := p.Missing(s)
	if err == nil && len(missing) > 0 {
		err = &Absent{missing}
	}
	return err
}
