package train

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// Listener is a model for interactive use: a model of the study, or the user's own in the same folder format. It can
// train its head on intents, unlearn clips and score clips.
type Listener struct {
	device *device.Device
	model  *loaded
	set    *speech.Set
}

// Listen loads the model in a folder. Clips of the set are cut or padded to a number of samples. A backbone gets a new
// head for the set's intents, with initial weights from a seed.
func Listen(d *device.Device, folder string, set *speech.Set, samples int, root uint64) (*Listener, error) {
	m, err := load(d, folder, samples)
	if err != nil {
		return nil, err
	}
	l := &Listener{d, m, set}
	switch intents := len(set.Intents); m.config.NumLabels {
	case intents:
		return l, nil
	case 0:
		if err := m.addHead(d, intents, seed.Derive(root, "unslu", "head")); err != nil {
			l.Close()
			return nil, err
		}
		return l, nil
	default:
		l.Close()
		return nil, fmt.Errorf("the model in %s distinguishes %d intents, the set has %d", folder, m.config.NumLabels,
			intents)
	}
}

// Close frees the model.
func (l *Listener) Close() { l.model.store.Finalize() }

func (l *Listener) table(clips []speech.Utterance) (*table, error) {
	t := &table{utterances: clips, samples: l.model.samples}
	return t, t.read(l.set)
}

// TrainHead trains the layers after the encoder with several passes over the clips. The encoder processes each clip
// only once.
func (l *Listener) TrainHead(ctx context.Context, clips []speech.Utterance, passes int, rate float64,
	progress func(done, steps int)) error {
	t, err := l.table(clips)
	if err != nil {
		return err
	}
	const behindEncoder = 2 // projector and classifier
	_, err = classifying.Head{Device: l.device, Store: l.model.store, Parts: behindEncoder, Passes: passes, Batch: 16,
		Rate: rate, Progress: progress,
	}.Train(ctx, classifying.Wav2Vec2(l.model.config, unlearn.Streams{unlearn.Retain: t}))
	return err
}

// Unlearn changes the model by running a method for one pass over the forget and retain clips. Settings that are not in
// values have the method's defaults.
func (l *Listener) Unlearn(ctx context.Context, method classifying.Method, values map[string]float64, forget,
	retain []speech.Utterance, root uint64, progress func(done, steps int)) error {
	streams := unlearn.Streams{}
	for name, clips := range map[string][]speech.Utterance{unlearn.Forget: forget, unlearn.Retain: retain} {
		t, err := l.table(clips)
		if err != nil {
			return err
		}
		streams[name] = t
	}
	_, err := classifying.Job{Device: l.device, Store: l.model.store,
		Task: classifying.Wav2Vec2(l.model.config, streams), Method: method, Values: values, Budgets: []int{1},
		Seed: root, Progress: progress, Snapshot: func(context.Context, int) error { return nil }}.Run(ctx)
	return err
}

// Hear returns the model's scores on clips. All get the given split.
func (l *Listener) Hear(ctx context.Context, split string, of []speech.Utterance) (unslu.Scores, error) {
	t, err := l.table(of)
	if err != nil {
		return nil, err
	}
	j, err := newJudge(l.device, l.model, &clips{forget: t, validation: t, test: t})
	if err != nil {
		return nil, err
	}
	defer j.close()
	return j.table(ctx, split, t)
}
