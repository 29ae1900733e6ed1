// Package train computes the raw scores of the study of ReMem. It trains a vision tower and base models, teaches them
// about people, runs the unlearning methods, and asks every model the same questions.
package train

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
)

// Lab computes the stages of the study on one device.
type Lab struct {
	*lab.Lab[answering.View]
	worlds lab.Corpora[*people]
	asked  latestWitness
	found  localDownload // download for the paper preset; empty for other presets
}

// NewLab returns a lab with the methods of the papers and the caller's own methods. The device is opened when the first
// stage is computed.
func NewLab(open func() (*device.Device, error), own ...answering.Method) *Lab {
	return &Lab{Lab: lab.New(open, answering.Methods(), own)}
}

// begin opens the device and the people of a world.
func (l *Lab) begin(w *store.Work, world remem.World) (*device.Device, *people, error) {
	d, err := l.Device(w)
	if err != nil {
		return nil, nil, err
	}
	p, err := l.people(world)
	return d, p, err
}

// load reads the model in the last artifact, for training in a precision. Adapters in earlier artifacts are merged
// first.
func (l *Lab) load(d *device.Device, precision string, artifacts ...*store.Artifact) (*loaded, error) {
	from, err := l.standing(artifacts)
	if err != nil {
		return nil, err
	}
	from.precision = precision
	return load(d, from)
}

// reading sets the download of the paper preset and returns the lab.
func (l *Lab) reading(found *localDownload) *Lab {
	l.found = *found
	return l
}

// PlanAndMakers plans the runs of a request and returns the functions that compute them. For the paper preset it reads the
// published files, which takes minutes the first time.
func PlanAndMakers(r study.Request, open func() (*device.Device, error)) (*study.PresetPlan, study.Makers, error) {
	lab := NewLab(open)
	lab.Guests = r.Models
	if r.Preset != study.PaperPreset {
		plan, err := remem.Study.Plan(r)
		return plan, lab.Makers(), err
	}
	from := folders{Data: r.Flags[remem.DataFlag], Models: r.Flags[remem.ModelsFlag]}
	found, err := findDownload(r.Context, r.Store, from, r.Log)
	if err != nil {
		return nil, study.Makers{}, err
	}
	if precision := r.Flags[remem.PrecisionFlag]; precision != remem.Float32 {
		found.Precision = precision
	}
	return remem.NewPlan(remem.Paper(found.Download)).PresetPlan(), lab.reading(found).Makers(), nil
}

// Makers returns the functions that compute the study's stages.
func (l *Lab) Makers() study.Makers {
	return study.NewMakers(remem.Published.By(l.Publish), remem.Tower.By(l.Tower), remem.Base.By(l.Base),
		remem.Taught.By(l.Teach), remem.Unlearned.By(l.Unlearn), remem.Relearnt.By(l.Relearn),
		remem.Judgement.By(l.Judge), remem.Tracing.By(l.Trace), remem.Imported.By(l.Import))
}
