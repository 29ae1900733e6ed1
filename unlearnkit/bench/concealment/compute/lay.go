package compute

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Lay lays the study out with what computes it.
func Lay(r bench.Request, open func() (*device.Device, error)) (*bench.Plan, study.Makers, error) {
	plan, err := concealment.Study.Plan(r)
	return plan, NewLab(open).Makers(), err
}
