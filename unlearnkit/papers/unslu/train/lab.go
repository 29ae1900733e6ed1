// Package train computes the raw scores of the study of UnSLU-BENCH. It pre-trains backbones, trains models on spoken
// commands, runs the unlearning methods, and judges every model on the same clips.
package train

import (
	"context"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// Lab computes the stages of the study on one device.
type Lab struct {
	*lab.Lab[classifying.View]
	corpora lab.Corpora[*clips]
	found   localDownload // download for the paper preset; empty for generated data
}

// NewLab returns a lab with the methods of the papers and the caller's own methods. The device is opened when the first
// stage is computed.
func NewLab(open func() (*device.Device, error), own ...classifying.Method) *Lab {
	return &Lab{Lab: lab.New(open, classifying.Methods(), own)}
}

// reading sets the download for the paper preset and returns the lab.
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
		plan, err := unslu.Study.Plan(r)
		return plan, lab.Makers(), err
	}
	from := folders{Data: r.Flags[unslu.DataFlag], Models: r.Flags[unslu.ModelsFlag]}
	found, err := findDownload(r.Context, r.Store, from, r.Log)
	if err != nil {
		return nil, study.Makers{}, err
	}
	return unslu.NewPlan(unslu.Paper(found.Download)).PresetPlan(), lab.reading(found).Makers(), nil
}

// begin opens the device and the clips, and loads the model of an artifact. The caller must finalize the model's store.
func (l *Lab) begin(w *store.Work, spec unslu.Corpus, from *store.Artifact) (*device.Device, *clips, *loaded, error) {
	d, err := l.Device(w)
	if err != nil {
		return nil, nil, nil, err
	}
	c, err := l.clipsOf(spec)
	if err != nil {
		return nil, nil, nil, err
	}
	folder, err := l.model(from)
	if err != nil {
		return nil, nil, nil, err
	}
	m, err := load(d, folder, spec.Samples)
	if err != nil {
		return nil, nil, nil, err
	}
	return d, c.heardBy(m), m, nil
}

// checkpointEvery returns the time between checkpoints of a training. It is longer for published models, whose
// checkpoints take one to four gigabytes. 0 means the default.
func checkpointEvery(spec unslu.Corpus) time.Duration {
	if spec.Published() {
		return 10 * time.Minute
	}
	return 0
}

// Judge computes the raw scores of a model and copies its training cost.
func (l *Lab) Judge(ctx context.Context, spec unslu.JudgementSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	model := in.Of(spec.Model)
	d, c, m, err := l.begin(w, spec.Corpus, model)
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	j, err := newJudge(d, m, c)
	if err != nil {
		return err
	}
	defer j.close()
	scores, err := j.scores(ctx)
	if err != nil {
		return err
	}
	w.Note("examples", len(scores))
	cost, err := unslu.ReadCost(model) // shipped models share a table of costs, which ReadCost filters
	if err != nil {
		return err
	}
	if err := cost.WriteParquet(w.Path(unslu.CostFile)); err != nil {
		return err
	}
	return scores.WriteParquet(w.Path(unslu.ScoresFile))
}

// Makers returns the functions that compute the study's stages.
func (l *Lab) Makers() study.Makers {
	return study.NewMakers(unslu.Backbone.By(l.Backbone), unslu.Published.By(l.Publish), unslu.Base.By(l.Base),
		unslu.Judgement.By(l.Judge), unslu.Unlearned.By(l.Unlearn), unslu.Imported.By(l.Import))
}
