// Package train maps each study to the code that computes it. It links the neural networks; package papers does not.
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

// planner plans a study and returns the functions that compute its stages. The device is opened when something is
// computed.
type planner func(r study.Request, open func() (*device.Device, error)) (*study.PresetPlan, study.Makers, error)

var all = map[string]planner{"salmu": salmu.Lay, "remem": remem.Lay, "unslu": unslu.Lay,
	"concealment": concealment.Lay}

// Lay plans the study of a paper and returns the functions that compute its stages.
func Lay(paper string, r study.Request, open func() (*device.Device, error)) (*study.PresetPlan, study.Makers, error) {
	lay, known := all[paper]
	if !known {
		panic(fmt.Sprintf("labs: nothing computes the study of %s", paper))
	}
	return lay(r, open)
}
