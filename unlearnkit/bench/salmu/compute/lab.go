// Package compute makes the raw scores of SALMUBench's study: it trains the base models, runs the methods, and judges every model on the same examples.
package compute

import (
	"context"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Lab computes the stages of the study on one device. Its methods may run side by side.
type Lab struct {
	open    func() (*device.Device, error)
	methods map[string]unlearn.Method
	corpora corpora
}

// NewLab is a lab that knows the methods of the papers and those given beside them. The device is opened when something is computed.
func NewLab(open func() (*device.Device, error), more ...unlearn.Method) *Lab {
	l := &Lab{open: sync.OnceValues(open), methods: map[string]unlearn.Method{}}
	for _, method := range append(unlearn.Methods(), more...) {
		l.methods[method.Name] = method
	}
	return l
}

var _ salmu.Maker = (*Lab)(nil)

// device is what computes; the artifact that is being made notes it.
func (l *Lab) device(w *store.Work) (*device.Device, error) {
	d, err := l.open()
	if err != nil {
		return nil, err
	}
	w.MadeBy(d.Name(), device.SIMD())
	return d, nil
}

// Judge gives the raw scores of a base model.
func (l *Lab) Judge(ctx context.Context, spec salmu.JudgementSpec, model *store.Artifact, w *store.Work, _ study.Progress) error {
	d, err := l.device(w)
	if err != nil {
		return err
	}
	m, err := load(d, model.Dir)
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	e, err := l.examples(spec.Corpus, m, spec.Each)
	if err != nil {
		return err
	}
	judge, err := newEmbedder(d, m.config, m.store)
	if err != nil {
		return err
	}
	defer judge.close()
	scores, err := e.judge(ctx, judge)
	if err != nil {
		return err
	}
	w.Note("examples", len(scores))
	return scores.WriteParquet(w.Path(salmu.ScoresFile(0)))
}

func (l *Lab) examples(spec salmu.Corpus, m *loaded, each int) (*examples, error) {
	from, err := l.corpora.of(spec)
	if err != nil {
		return nil, err
	}
	return newExamples(m.reader(from), each), nil
}

func (m *loaded) reader(from corpus) reader {
	return reader{from, m.words, m.config.Vision.Image, m.config.Text.Context}
}
