package train

import (
	"fmt"
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/export"
	concealment "github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment/train"
	remem "github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem/train"
	salmu "github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu/train"
	unslu "github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu/train"
)

// exports maps papers to functions that list the exportable data and models of a preset. The device is opened when a
// model is written.
var exports = map[string]func(preset string, open func() (*device.Device, error)) (*export.Study, error){
	"concealment": concealment.Export, "salmu": salmu.Export, "remem": remem.Export, "unslu": unslu.Export,
}

// Exportable returns the papers whose data and models can be exported.
func Exportable() []string { return slices.Sorted(maps.Keys(exports)) }

// Export returns the exportable data and models of a paper's study at a preset.
func Export(paper, preset string, open func() (*device.Device, error)) (*export.Study, error) {
	of, known := exports[paper]
	if !known {
		panic(fmt.Sprintf("train: nothing exports the study of %s", paper))
	}
	return of(preset, open)
}
