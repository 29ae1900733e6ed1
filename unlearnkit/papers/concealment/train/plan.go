package train

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// PlanAndMakers plans the runs of a request and returns the functions that compute them.
func PlanAndMakers(r study.Request, open func() (*device.Device, error)) (*study.PresetPlan, study.Makers, error) {
	plan, err := concealment.Study.Plan(r)
	lab := NewLab(open)
	lab.Guests = r.Models
	return plan, lab.Makers(), err
}
