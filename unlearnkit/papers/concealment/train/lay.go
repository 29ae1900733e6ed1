package train

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Lay lays the study out with what computes it.
func Lay(r study.Request, open func() (*device.Device, error)) (*study.PresetPlan, study.Makers, error) {
	plan, err := concealment.Study.Plan(r)
	return plan, NewLab(open).Makers(), err
}
