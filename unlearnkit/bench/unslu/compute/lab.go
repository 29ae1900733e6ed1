// Package compute makes the raw scores of the study of UnSLU-BENCH: it pre-trains backbones, trains models on spoken
// commands, runs the methods, and judges every model on the same clips.
package compute

import (
	"context"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// Lab computes the stages of the study on one device.
type Lab struct {
	*lab.Lab[classifying.View]
	corpora lab.Corpora[*clips]
}

// NewLab is a lab that knows the methods of the papers and those given beside them. The device is opened when something
// is computed.
func NewLab(open func() (*device.Device, error), own ...classifying.Method) *Lab {
	return &Lab{Lab: lab.New(open, classifying.Methods(), own)}
}

var _ unslu.Maker = (*Lab)(nil)

// Lay lays the study out with what makes its stages.
func Lay(r bench.Request, open func() (*device.Device, error)) (*bench.Plan, study.Makers, error) {
	plan, err := unslu.Study.Lay(r)
	if err != nil {
		return nil, study.Makers{}, err
	}
	return plan, unslu.Makers(NewLab(open)), nil
}

// begin opens what a run needs: the device, the clips and the model in an artifact, whose store must be finalized.
func (l *Lab) begin(w *store.Work, spec unslu.Corpus, from *store.Artifact) (*device.Device, *clips, *loaded, error) {
	d, err := l.Device(w)
	if err != nil {
		return nil, nil, nil, err
	}
	c, err := l.corpora.Of(spec, func() (*clips, error) { return openCorpus(spec) })
	if err != nil {
		return nil, nil, nil, err
	}
	m, err := load(d, from.Dir, spec.Samples)
	return d, c, m, err
}

// Judge gives the raw scores of a model, and what its training cost.
func (l *Lab) Judge(ctx context.Context, spec unslu.JudgementSpec, model *store.Artifact, w *store.Work,
	_ study.Progress) error {
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
	cost, err := model.ReadFile(unslu.CostFile)
	if err != nil {
		return err
	}
	if err := os.WriteFile(w.Path(unslu.CostFile), cost, 0o644); err != nil {
		return err
	}
	return scores.WriteParquet(w.Path(unslu.ScoresFile))
}
