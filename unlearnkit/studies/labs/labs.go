// Package labs is the registry of what computes each study. It links the networks; package studies does not.
package labs

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	concealment "github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment/compute"
	remem "github.com/unlearnlab/unlearnlab/unlearnkit/bench/remem/compute"
	salmu "github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu/compute"
	unslu "github.com/unlearnlab/unlearnlab/unlearnkit/bench/unslu/compute"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// planner plans a study and returns the makers of its stages. The device is opened when something is computed.
type planner func(r bench.Request, open func() (*device.Device, error)) (*bench.Plan, study.Makers, error)

var all = map[string]planner{"salmu": salmu.Lay, "remem": remem.Lay, "unslu": unslu.Lay,
	"concealment": concealment.Lay}

// Lay plans the study of a paper and returns the makers of its stages.
func Lay(paper string, r bench.Request, open func() (*device.Device, error)) (*bench.Plan, study.Makers, error) {
	lay, known := all[paper]
	if !known {
		panic(fmt.Sprintf("labs: nothing computes the study of %s", paper))
	}
	return lay(r, open)
}
