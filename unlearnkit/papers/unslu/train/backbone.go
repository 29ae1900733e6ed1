package train

import (
	"context"
	"fmt"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2/pretrain"
)

// Backbone pre-trains an encoder on voices that no world uses. It discards the layers that only the objective needs.
func (l *Lab) Backbone(ctx context.Context, spec unslu.BackboneSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	start := in.Of(spec.Start)
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	said, err := reserved(spec)
	if err != nil {
		return err
	}
	whole := &loaded{shape(spec.Size, spec.Objective), spec.Samples, model.NewStore(), unlearn.Policy}
	if start != nil {
		if whole, err = load(d, start.Dir, spec.Samples); err != nil {
			return err
		}
	}
	defer whole.store.Finalize()
	nn.Seed(whole.scope(), seed.Derive(spec.Seed, "unslu", "backbone"))
	if err := whole.trace(d); err != nil {
		return err
	}
	if spec.Objective != unslu.Nothing {
		steps, err := said.steps(spec, whole.config)
		if err != nil {
			return err
		}
		log, err := train.Job{
			Stage: "pre-train by " + string(spec.Objective), Device: d, Store: whole.store, Scope: unlearn.Policy,
			Loss: steps.Loss, Batch: steps.Batch, Steps: spec.Steps,
			Optimizer: optim.Optimizer{Rule: optim.AdamW{WeightDecay: .01}, NoDecay: optim.NoDecayForVectors,
				ClipNorm: 1},
			Schedule:   optim.Linear{Peak: spec.Rate, Warmup: spec.Steps / 10, Steps: spec.Steps},
			Checkpoint: lab.Checkpoint(w), Progress: progress,
		}.Run(ctx)
		if err != nil {
			return err
		}
		if err := lab.KeepTraining(w, log); err != nil {
			return err
		}
	}
	encoder, err := whole.encoder(d)
	if err != nil {
		return err
	}
	defer encoder.store.Finalize()
	w.Note("parameters", lab.Parameters(encoder.scope()))
	return encoder.save(w.Dir())
}

// encoder returns the model without the layers that only the objective needs.
func (m *loaded) encoder(d *device.Device) (*loaded, error) {
	bare := &loaded{m.config, m.samples, model.NewStore(), unlearn.Policy}
	if err := bare.trace(d); err != nil {
		return nil, err
	}
	for v := range bare.scope().IterVariables() {
		trained := m.store.GetVariable(v.Path())
		if trained == nil {
			return nil, fmt.Errorf("the trained model has no %s", v.Path())
		}
		value, err := trained.Value()
		if err != nil {
			return nil, err
		}
		clone, err := value.Clone()
		if err != nil {
			return nil, err
		}
		if err := v.SetValue(clone); err != nil {
			return nil, err
		}
	}
	return bare, nil
}

// sayings holds clips of the reserved voices, which no world uses, with their transcripts.
type sayings struct {
	clips pretrain.Clips
	texts []string
	rate  int
}

func reserved(spec unslu.BackboneSpec) (*sayings, error) {
	s := &sayings{}
	for _, language := range spec.Languages {
		set, err := speech.Reserved(language, spec.Clips, spec.Seed)
		if err != nil {
			return nil, err
		}
		s.rate = set.Rate
		for _, u := range set.Train {
			sound, err := set.Samples(u)
			if err != nil {
				return nil, err
			}
			s.clips.Samples = append(s.clips.Samples,
				preprocess.Standardize(preprocess.FitLength(sound, spec.Samples), spec.Samples))
			s.texts = append(s.texts, u.Text)
		}
	}
	return s, nil
}

// Settings of pre-training. The masks are as in the original models, for clips of about fifty frames.
const (
	maskedShare = .65
	maskedSpan  = 5
	clusters    = 32
)

// steps returns the training steps for the objective of a backbone.
func (s *sayings) steps(spec unslu.BackboneSpec, encoder wav2vec2.Config) (pretrain.Steps, error) {
	plan := pretrain.Plan{Scope: unlearn.Policy, Encoder: encoder, Clips: s.clips, Rows: spec.Batch, Seed: spec.Seed}
	if spec.Objective == unslu.Letters {
		alphabet, err := pretrain.NewAlphabet(s.texts...)
		if err != nil {
			return pretrain.Steps{}, err
		}
		return pretrain.CTC{Alphabet: alphabet, Mean: true}.Steps(plan, s.texts)
	}
	plan.Encoder.MaskTimeProb, plan.Encoder.MaskTimeLength = maskedShare, maskedSpan
	if spec.Objective == unslu.Contrastive {
		return pretrain.SmallContrastive().Steps(plan)
	}
	targets, err := s.clusters(spec, encoder)
	if err != nil {
		return pretrain.Steps{}, err
	}
	return pretrain.Clusters{Count: clusters, Width: spec.Size.Hidden, LogitTemperature: .1}.Steps(plan, targets)
}

// clusters returns the targets of HuBERT's first iteration: the cluster of each frame's cepstrum, for each clip.
func (s *sayings) clusters(spec unslu.BackboneSpec, encoder wav2vec2.Config) (targets [][]int32, err error) {
	var rows [][][]float32
	var points [][]float32
	for _, samples := range s.clips.Samples {
		cepstrum, err := preprocess.MFCC(samples, s.rate)
		if err != nil {
			return nil, err
		}
		rows, points = append(rows, cepstrum), append(points, cepstrum...)
	}
	first, err := pretrain.FirstCentres(seed.Stream(spec.Seed, "unslu", "centres"), points, clusters)
	if err != nil {
		return nil, err
	}
	means, err := pretrain.Fit(points, first, 100)
	if err != nil {
		return nil, err
	}
	for _, cepstrum := range rows {
		frames, err := pretrain.FrameTargets(encoder, spec.Samples, means.Nearest(cepstrum), preprocess.MFCCHop(s.rate))
		if err != nil {
			return nil, err
		}
		targets = append(targets, frames)
	}
	return targets, nil
}
