// Package labs maps each study to the code that computes it. It links the neural networks; package papers does not.
package labs

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profilefolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/salmu512"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/export"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	concealmenttrain "github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	rememtrain "github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	salmutrain "github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	unslutrain "github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Step is a training step of a study.
type Step = lab.Step

// Lab is a study with the code that computes it. Every other field than Study may be absent: a study without makers can
// be read, but not computed.
type Lab struct {
	Study *study.Study

	// PlanAndMakers plans a request and returns the functions that compute its stages. It opens the device when
	// something is computed. If it is nil, the study makes the plan, and Makers compute it.
	PlanAndMakers func(r study.Request, open func() (*device.Device, error)) (*study.PresetPlan, study.Makers, error)
	Makers        study.Makers

	Steps    func() []Step // training steps at the paper's published size
	Export   Exporter
	Download *Download // the paper's published data
}

// Exporter lists the exportable data and models of a preset. It opens the device when it writes a model.
type Exporter func(preset string, open func() (*device.Device, error)) (*export.Study, error)

// all lists the studies of package papers with the code that computes them.
var all = []Lab{
	{Study: salmu.Study, PlanAndMakers: salmutrain.PlanAndMakers, Steps: salmutrain.Steps, Export: salmutrain.Export,
		Download: &Download{
			About: "cvc-mmu/salmu-512-redistributed, cvc-mmu/salmubench-512-redistributed, or both",
			Names: []string{salmu512.Training.Name(), salmu512.Benchmark.Name()},
			Find:  salmu512.Find,
			Check: asReport(salmu512.Check),
		}},
	{Study: remem.Study, PlanAndMakers: rememtrain.PlanAndMakers, Steps: rememtrain.Steps, Export: rememtrain.Export,
		Download: &Download{
			About: "herbwood27/Remem, gray311/FIUBench, MLLMMU/MLLMU-Bench, or several",
			Names: namesOf(profilefolder.Kinds),
			Find:  profilefolder.Find,
			Check: asReport(profilefolder.Check),
		}},
	{Study: unslu.Study, PlanAndMakers: unslutrain.PlanAndMakers, Steps: unslutrain.Steps, Export: unslutrain.Export,
		Download: &Download{
			About: "Fluent Speech Commands, SLURP, ITALIC, Speech-MASSIVE (de-DE, fr-FR), or several",
			Names: namesOf(speechfolder.Kinds),
			Find:  speechfolder.Find,
			Check: asReport(speechfolder.Check),
		}},
	{Study: concealment.Study, PlanAndMakers: concealmenttrain.PlanAndMakers, Steps: concealmenttrain.Steps,
		Export: concealmenttrain.Export},
}

// Register adds a study to package papers together with the code that computes it. It returns a function that removes
// both.
func Register(l Lab) (remove func()) {
	removeStudy := papers.Register(l.Study)
	all = append(all, l)
	return func() {
		all = slices.DeleteFunc(slices.Clone(all), func(other Lab) bool { return other.Study == l.Study })
		removeStudy()
	}
}

// of returns the lab of a paper. It is empty if nothing computes the paper's study.
func of(paper string) Lab {
	for _, l := range all {
		if l.Study.Paper == paper {
			return l
		}
	}
	return Lab{}
}

// PlanAndMakers plans the study of a paper and returns the functions that compute its stages.
func PlanAndMakers(paper string, r study.Request, open func() (*device.Device, error)) (*study.PresetPlan,
	study.Makers, error) {
	l := of(paper)
	if l.PlanAndMakers != nil {
		return l.PlanAndMakers(r, open)
	}
	plan, err := papers.Of(paper).Plan(r)
	return plan, l.Makers, err
}

// Steps returns the training steps of a paper at its published size.
func Steps(paper string) ([]Step, error) {
	if steps := of(paper).Steps; steps != nil {
		return steps(), nil
	}
	return nil, &study.Unsupported{Paper: paper, What: "training steps of a published size"}
}

// ExportOf returns the function that lists the exportable data and models of a paper's study.
func ExportOf(paper string) (Exporter, error) {
	if export := of(paper).Export; export != nil {
		return export, nil
	}
	return nil, &study.Unsupported{Paper: paper, What: "data and models to export"}
}

// Exportable returns the papers whose data and models can be exported.
func Exportable() []string {
	return slices.DeleteFunc(papers.Papers(), func(paper string) bool { return of(paper).Export == nil })
}

// Downloadable returns the labs of the papers with published data that can be checked.
func Downloadable() []Lab {
	return slices.DeleteFunc(slices.Clone(all), func(l Lab) bool { return l.Download == nil })
}

// DownloadOf returns the download of a paper's data.
func DownloadOf(paper string) (*Download, error) {
	if d := of(paper).Download; d != nil {
		return d, nil
	}
	return nil, &study.Unsupported{Paper: paper, What: "published data to import"}
}
