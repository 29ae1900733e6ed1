// Package train computes the raw scores of the study of SALMUBench. It trains the base models, runs the unlearning
// methods, and judges every model on the same examples.
package train

import (
	"context"
	"runtime"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

// Lab computes the stages of the study on one device. Its methods may be called concurrently.
type Lab struct {
	*lab.Lab[contrastive.View]
	corpora lab.Corpora[corpus]
	found   localDownload // download for the paper preset; empty for generated data
}

// NewLab returns a lab with the methods of the papers and the caller's own methods. The device is opened when the first
// stage is computed.
func NewLab(open func() (*device.Device, error), own ...contrastive.Method) *Lab {
	return &Lab{Lab: lab.New(open, contrastive.Methods(), own)}
}

// Run computes the missing runs of a preset and reads its results. The folder holds the store, and own adds the
// caller's methods. Run computes on the device of [device.Open]. The callback report may be nil.
func Run(ctx context.Context, folder string, preset salmu.Preset, report func(progress.Status),
	own ...contrastive.Method) (*salmu.Results, error) {
	s, err := salmu.Study.OpenStore(folder)
	if err != nil {
		return nil, err
	}
	plan := salmu.NewPlan(preset)
	lab := NewLab(func() (*device.Device, error) { return device.Open("") }, own...)
	options := study.Options{Workers: runtime.NumCPU(), Report: report}
	if err := plan.Execute(ctx, s, lab.Makers(), options); err != nil {
		return nil, err
	}
	return plan.Read(s)
}

// reading sets the download for the paper preset and returns the lab.
func (l *Lab) reading(found *localDownload) *Lab {
	l.found = *found
	return l
}

// Judge computes the raw scores of a base model.
func (l *Lab) Judge(ctx context.Context, spec salmu.JudgementSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	c, err := l.candidate(w, in.Of(spec.Model), spec.Corpus, in.All(spec.Pictures), spec.Each)
	if err != nil {
		return err
	}
	defer c.close()
	scores, err := c.judge(ctx, c.embedder)
	if err != nil {
		return err
	}
	gap, err := c.judgeGap(ctx, c.embedder)
	if err != nil {
		return err
	}
	w.Note("examples", len(scores))
	if err := gap.WriteParquet(w.Path(salmu.GapFile)); err != nil {
		return err
	}
	return scores.WriteParquet(w.Path(salmu.ScoresFile(0)))
}

// candidate is a model with the examples on which it is judged.
type candidate struct {
	*loaded
	*examples
	*embedder
	device *device.Device
}

// candidate loads a model and its test examples. The caller must close it.
func (l *Lab) candidate(w *store.Work, model *store.Artifact, spec salmu.Corpus, pictures []*store.Artifact,
	each int) (*candidate, error) {
	d, err := l.Device(w)
	if err != nil {
		return nil, err
	}
	from, err := l.corpus(spec, pictures)
	if err != nil {
		return nil, err
	}
	m, err := l.load(d, model)
	if err != nil {
		return nil, err
	}
	e, err := newEmbedder(d, m.config, m.store)
	if err != nil {
		m.store.Finalize()
		return nil, err
	}
	return &candidate{m, newExamples(m.reader(from), each), e, d}, nil
}

func (c *candidate) close() {
	c.embedder.close()
	c.store.Finalize()
}

func (m *loaded) reader(from corpus) reader {
	return reader{from, m.words, m.config.Vision.Image, m.config.Text.Context}
}

// Makers returns the functions that compute the study's stages.
func (l *Lab) Makers() study.Makers {
	return study.NewMakers(salmu.Base.By(l.Base), salmu.Published.By(l.Publish), salmu.Pictures.By(l.Pictures),
		salmu.Judgement.By(l.Judge), salmu.Unlearned.By(l.Unlearn), salmu.Imported.By(l.Import),
		salmu.Forgetful.By(l.Forget), salmu.Attacked.By(l.Attack))
}
