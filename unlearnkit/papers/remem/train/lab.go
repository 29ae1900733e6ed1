// Package train makes the raw scores of the study of ReMem: it trains a vision tower and base models, teaches them
// people, runs the methods, and asks every model the same questions.
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
	asked  asked
	found  Found // of the paper preset; empty without
}

// NewLab is a lab that knows the methods of the papers and those given beside them. The device is opened when something
// is computed.
func NewLab(open func() (*device.Device, error), own ...answering.Method) *Lab {
	return &Lab{Lab: lab.New(open, answering.Methods(), own)}
}

// begin is what every stage begins with: the device, and the people of its world.
func (l *Lab) begin(w *store.Work, world remem.World) (*device.Device, *people, error) {
	d, err := l.Device(w)
	if err != nil {
		return nil, nil, err
	}
	p, err := l.people(world)
	return d, p, err
}

// load reads the model that is the last of some artifacts; it stands on the others.
func (l *Lab) load(d *device.Device, artifacts ...*store.Artifact) (*loaded, error) {
	from, err := l.standing(artifacts)
	if err != nil {
		return nil, err
	}
	return load(d, from)
}

// Reading gives the lab a download, which the paper preset is computed from, and returns it.
func (l *Lab) Reading(found *Found) *Lab {
	l.found = *found
	return l
}

// Lay lays the study out with what makes its stages; of the paper preset it looks at the published files, which takes
// minutes the first time.
func Lay(r study.Request, open func() (*device.Device, error)) (*study.PresetPlan, study.Makers, error) {
	lab := NewLab(open)
	if r.Preset != study.PaperPreset {
		plan, err := remem.Study.Plan(r)
		return plan, lab.Makers(), err
	}
	found, err := Find(r.Context, r.Store, Folders{Data: r.Flags[remem.DataFlag], Models: r.Flags[remem.ModelsFlag]},
		r.Log)
	if err != nil {
		return nil, study.Makers{}, err
	}
	return remem.NewPlan(remem.Paper(found.Download)).AsBench(), lab.Reading(found).Makers(), nil
}

// Makers returns what makes the stages.
func (l *Lab) Makers() study.Makers {
	return study.NewMakers(remem.Published.By(l.Publish), remem.Tower.By(l.Tower), remem.Base.By(l.Base),
		remem.Taught.By(l.Teach), remem.Unlearned.By(l.Unlearn), remem.Relearnt.By(l.Relearn),
		remem.Judgement.By(l.Judge), remem.Tracing.By(l.Trace))
}
