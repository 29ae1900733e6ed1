// Package train names what computes each study, once. It links the networks; package studies does not.
package train

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	concealment "github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment/train"
	remem "github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem/train"
	salmu "github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu/train"
	unslu "github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// lay lays a study out with what makes its stages. The device is opened when something is computed.
type lay func(r study.Request, open func() (*device.Device, error)) (*study.PresetPlan, study.Makers, error)

var all = map[string]lay{"salmu": salmu.Lay, "remem": remem.Lay, "unslu": unslu.Lay,
	"concealment": concealment.Lay}

// Lay lays the study of a paper out with what makes its stages.
func Lay(paper string, r study.Request, open func() (*device.Device, error)) (*study.PresetPlan, study.Makers, error) {
	lay, known := all[paper]
	if !known {
		panic(fmt.Sprintf("labs: nothing computes the study of %s", paper))
	}
	return lay(r, open)
}
