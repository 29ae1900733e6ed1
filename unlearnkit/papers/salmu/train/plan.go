package train

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// PlanAndMakers plans the runs of a request and returns the functions that compute them. For the paper preset it reads the
// published files, which takes minutes the first time.
func PlanAndMakers(r study.Request, open func() (*device.Device, error)) (*study.PresetPlan, study.Makers, error) {
	lab := NewLab(open)
	lab.Guests = r.Models
	if r.Preset != study.PaperPreset {
		plan, err := salmu.Study.Plan(r)
		return plan, lab.Makers(), err
	}
	from := folders{Data: r.Flags[salmu.DataFlag], Models: r.Flags[salmu.ModelsFlag],
		ImageNet: r.Flags[salmu.ImageNetFlag], Retain: r.Flags[salmu.RetainFlag]}
	found, err := findDownload(r.Context, r.Store, from, r.Log)
	if err != nil {
		return nil, study.Makers{}, err
	}
	return salmu.NewPlan(salmu.Paper(found.Download)).PresetPlan(), lab.reading(found).Makers(), nil
}
