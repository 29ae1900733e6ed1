package pretrain_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2/pretrain"
)

// smallEncoder returns an encoder whose step takes milliseconds.
func smallEncoder() wav2vec2.Config {
	c := wav2vec2.SmallGroup()
	c.ConvDim, c.HiddenSize, c.IntermediateSize = []int{8, 8, 8}, 16, 24
	c.NumConvPosEmbeddings = 4
	c.MaskTimeProb, c.MaskTimeLength = 0.5, 3
	return c
}

// clips returns tones with different pitches and some noise.
func clips(count, samples int) pretrain.Clips {
	random := seed.Stream(1, "clips")
	all := pretrain.Clips{Samples: make([][]float32, count)}
	for clip := range all.Samples {
		for i := range samples {
			tone := math.Sin(float64(i) * (0.2 + 0.1*float64(clip%4)) * (1 + 0.3*float64(i/200%3)))
			all.Samples[clip] = append(all.Samples[clip], float32(tone+0.1*random.NormFloat64()))
		}
	}
	return all
}

func smallPlan(padded bool) pretrain.Plan {
	plan := pretrain.Plan{Scope: "policy", Encoder: smallEncoder(), Clips: clips(6, 900), Rows: 4, Seed: 3}
	if padded {
		plan.Clips.Lengths = []int{900, 700, 900, 800, 900, 600}
	}
	return plan
}

// objectives returns the steps of all objectives for a plan.
func objectives(t *testing.T, plan pretrain.Plan) map[string]pretrain.Steps {
	t.Helper()
	alphabet, err := pretrain.NewAlphabet("abc")
	if err != nil {
		t.Fatal(err)
	}
	var targets [][]int32
	for i, samples := range plan.Clips.Samples {
		length := len(samples)
		if plan.Clips.Lengths != nil {
			length = plan.Clips.Lengths[i]
		}
		clusters, err := pretrain.FrameTargets(plan.Encoder, length, []int32{0, 1, 2, 3, int32(i % 4)}, 160)
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, clusters)
	}
	all := map[string]pretrain.Steps{}
	for name, make := range map[string]func() (pretrain.Steps, error){
		"contrastive": func() (pretrain.Steps, error) { return pretrain.SmallContrastive().Steps(plan) },
		"clusters": func() (pretrain.Steps, error) {
			return pretrain.Clusters{Count: 4, Width: 8, LogitTemperature: 0.1}.Steps(plan, targets)
		},
		"ctc": func() (pretrain.Steps, error) {
			return pretrain.CTC{Alphabet: alphabet, Mean: true}.Steps(plan, []string{"a", "ab", "bb", "cab", "", "abc"})
		},
	} {
		steps, err := make()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = steps
	}
	return all
}

func job(t *testing.T, store *model.Store, steps pretrain.Steps, count int) train.Job {
	return train.Job{Stage: "pre-train", Device: devicetest.Open(t), Store: store, Scope: "policy", Loss: steps.Loss,
		Batch: steps.Batch, Optimizer: optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.01}, ClipNorm: 10},
		Schedule: optim.Constant(2e-3), Steps: count}
}

func seeded() *model.Store {
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	return store
}

func TestTraining_Interrupted(t *testing.T) {
	devicetest.Watch(t, 5*time.Minute)
	for _, padded := range []bool{false, true} {
		plan := smallPlan(padded)
		for name := range objectives(t, plan) {
			whole := seeded()
			want, err := job(t, whole, objectives(t, plan)[name], 6).Run(t.Context())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}

			file := filepath.Join(t.TempDir(), "checkpoint")
			ctx, cancel := context.WithCancel(t.Context())
			first := job(t, seeded(), objectives(t, plan)[name], 6)
			first.Checkpoint = file
			first.Progress = func(done, _ int) {
				if done == 3 {
					cancel()
				}
			}
			if _, err := first.Run(ctx); !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: the training was not interrupted: %v", name, err)
			}
			resumed := seeded()
			second := job(t, resumed, objectives(t, plan)[name], 6)
			second.Checkpoint = file
			got, err := second.Run(t.Context())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: the steps are %v, want %v", name, got, want)
			}
			compareStores(t, name, resumed, whole)
		}
	}
}

func compareStores(t *testing.T, name string, got, want *model.Store) {
	t.Helper()
	compared := 0
	for variable := range want.IterVariables() {
		if !strings.HasPrefix(variable.Path(), "/policy/") {
			continue
		}
		other := got.GetVariable(variable.Path())
		wanted := paritytest.Values(variable.MustValue())
		if other == nil || !slices.Equal(paritytest.Values(other.MustValue()), wanted) {
			t.Errorf("%s: %s has other values", name, variable.Path())
		}
		compared++
	}
	if compared == 0 {
		t.Errorf("%s: nothing was trained", name)
	}
}

func TestBatch_NumberAlone(t *testing.T) {
	for name, steps := range objectives(t, smallPlan(true)) {
		var first, again, next train.Batch
		for step, batch := range map[int]*train.Batch{5: &first, 6: &next} {
			var err error
			if *batch, err = steps.Batch(step); err != nil {
				t.Fatal(err)
			}
		}
		again, err := steps.Batch(5)
		if err != nil {
			t.Fatal(err)
		}
		differ := false
		for i, input := range first.Inputs {
			if !input.Equal(again.Inputs[i]) {
				t.Errorf("%s: input %d of step 5 changed", name, i)
			}
			differ = differ || !input.Equal(next.Inputs[i])
		}
		if !differ {
			t.Errorf("%s: steps 5 and 6 have the same batch", name)
		}
	}
}

func TestPadding_NeverMasked(t *testing.T) {
	plan := smallPlan(true)
	batch, err := objectives(t, plan)["clusters"].Batch(0)
	if err != nil {
		t.Fatal(err)
	}
	frames := plan.Encoder.Frames(900)
	for _, input := range batch.Inputs[2:] {
		if !slices.Equal(input.Shape().Dimensions, []int{plan.Rows, frames}) || input.DType().String() != "Bool" {
			continue
		}
		masked := tensors.MustCopyFlatData[bool](input)
		sound := tensors.MustCopyFlatData[bool](batch.Inputs[1])
		for row := range plan.Rows {
			length := slices.Index(append(slices.Clone(sound[row*900:(row+1)*900]), false), false)
			own := masked[row*frames : (row+1)*frames]
			if slices.Contains(own[plan.Encoder.Frames(length):], true) || !slices.Contains(own, true) {
				t.Errorf("row %d of %d samples is masked %v", row, length, own)
			}
		}
		return
	}
	t.Error("no input says what is masked")
}

func TestObjectives_Learn(t *testing.T) {
	devicetest.Watch(t, 5*time.Minute)
	plan := smallPlan(false)
	e := &plan.Encoder
	e.HiddenDropout, e.AttentionDropout, e.FeatProjDropout, e.LayerDrop = 0, 0, 0, 0
	for name, steps := range objectives(t, plan) {
		learning := job(t, seeded(), steps, 120)
		learning.Schedule = optim.Constant(5e-3)
		log, err := learning.Run(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		mean := func(part train.Log) (mean float64) {
			for _, step := range part {
				mean += step.Loss / float64(len(part))
			}
			return mean
		}
		begin, end := mean(log[:5]), mean(log[115:])
		t.Logf("%s: the loss goes from %.3f to %.3f", name, begin, end)
		// The contrastive loss of guessing is about 3, and it begins to fall late.
		if limit := map[string]float64{"contrastive": 0.95, "clusters": 0.7, "ctc": 0.4}[name]; !(end < limit*begin) {
			t.Errorf("%s: the loss goes from %g to %g", name, begin, end)
		}
	}
}

func TestPlan_Refused(t *testing.T) {
	nan := float32(math.NaN())
	alphabet, err := pretrain.NewAlphabet("ab")
	if err != nil {
		t.Fatal(err)
	}
	ctc := func(texts ...string) func(pretrain.Plan) error {
		return func(p pretrain.Plan) error { _, err := pretrain.CTC{Alphabet: alphabet}.Steps(p, texts); return err }
	}
	clusters := func(change func(targets [][]int32) [][]int32) func(pretrain.Plan) error {
		return func(p pretrain.Plan) error {
			targets := make([][]int32, len(p.Clips.Samples))
			for i := range targets {
				targets[i] = make([]int32, p.Encoder.Frames(900))
			}
			_, err := pretrain.Clusters{Count: 4, Width: 8, LogitTemperature: 0.1}.Steps(p, change(targets))
			return err
		}
	}
	plain := func(p pretrain.Plan) error { _, err := pretrain.SmallContrastive().Steps(p); return err }
	for _, test := range []struct {
		says   string
		change func(p *pretrain.Plan)
		steps  func(p pretrain.Plan) error
	}{
		{"there are no clips", func(p *pretrain.Plan) { p.Clips.Samples = nil }, plain},
		{"0 rows a step", func(p *pretrain.Plan) { p.Rows = 0 }, plain},
		{"Scope is empty", func(p *pretrain.Plan) { p.Scope = "" }, plain},
		{"hidden_size is 0", func(p *pretrain.Plan) { p.Encoder.HiddenSize = 0 }, plain},
		{"has a head for 3 labels", func(p *pretrain.Plan) { p.Encoder.NumLabels = 3 }, plain},
		{"masks no frames", func(p *pretrain.Plan) { p.Encoder.ApplySpecAugment = false }, plain},
		{"masks no frames", func(p *pretrain.Plan) { p.Encoder.MaskTimeProb = 0 }, plain},
		{"mask_time_min_masks 0", func(p *pretrain.Plan) { p.Encoder.MaskTimeMinMasks = 0 }, plain},
		{"clip 0 has 20 frames", func(p *pretrain.Plan) { p.Encoder.MaskTimeLength = 21 }, plain},
		{"clip 2 has 10 samples and clip 0 has 900",
			func(p *pretrain.Plan) { p.Clips.Samples[2] = make([]float32, 10) }, plain},
		{"clip 1 has 20 samples of sound of 900",
			func(p *pretrain.Plan) { p.Clips.Lengths = []int{900, 20, 900, 900, 900, 900} }, plain},
		{"6 clips have 1 lengths", func(p *pretrain.Plan) { p.Clips.Lengths = []int{900} }, plain},
		{"clip 4: sample 7 is NaN", func(p *pretrain.Plan) { p.Clips.Samples[4][7] = nan }, plain},
		{"6 clips have the clusters of 5", nil, clusters(func(t [][]int32) [][]int32 { return t[:5] })},
		{"clip 1 has 2 clusters, the encoder makes 20", nil,
			clusters(func(t [][]int32) [][]int32 { t[1] = t[1][:2]; return t })},
		{"clip 3: the cluster of frame 2 is 4, there are 4", nil,
			clusters(func(t [][]int32) [][]int32 { t[3][2] = 4; return t })},
		{"6 clips have 2 texts", nil, ctc("a", "b")},
		{`clip 1: the letter 'x'`, nil, ctc("a", "x", "a", "a", "a", "a")},
		{"the text of clip 2", nil, ctc("a", "a", strings.Repeat("a", 12), "a", "a", "a")},
		{"takes 23 frames, the encoder makes 20", nil, ctc("a", "a", strings.Repeat("a", 12), "a", "a", "a")},
		{"the alphabet has no letters", nil,
			func(p pretrain.Plan) error { _, err := pretrain.CTC{}.Steps(p, nil); return err }},
		{"num_codevectors_per_group is 0", nil,
			func(p pretrain.Plan) error { _, err := pretrain.Contrastive{Groups: 1}.Steps(p); return err }},
		{"1 clusters", nil,
			func(p pretrain.Plan) error { _, err := pretrain.Clusters{Count: 1}.Steps(p, nil); return err }},
	} {
		plan := smallPlan(false)
		if test.change != nil {
			test.change(&plan)
		}
		err := test.steps(plan)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want: %s", err, test.says)
		}
	}
}

func TestObjectives_Refused(t *testing.T) {
	for says, change := range map[string]func(c *pretrain.Contrastive){
		"33 cannot be divided among num_codevector_groups 2": func(c *pretrain.Contrastive) { c.CodeWidth = 33 },
		"num_negatives is -1":                                func(c *pretrain.Contrastive) { c.Negatives = -1 },
		"contrastive_logits_temperature":                     func(c *pretrain.Contrastive) { c.LogitTemperature = 0 },
		"diversity_loss_weight is -1":                        func(c *pretrain.Contrastive) { c.DiversityWeight = -1 },
		"the Gumbel temperature must fall":                   func(c *pretrain.Contrastive) { c.Gumbel.Last = 3 },
		"the Gumbel temperature must fall:":                  func(c *pretrain.Contrastive) { c.Gumbel.Factor = 0 },
	} {
		c := pretrain.SmallContrastive()
		change(&c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want: %s", err, says)
		}
	}
}

// A backbone can be loaded from any pre-trained model, no matter what other tensors the objective has.
func TestPretrained_Loaded(t *testing.T) {
	plan := smallPlan(false)
	for name, steps := range objectives(t, plan) {
		store := seeded()
		if _, err := job(t, store, steps, 1).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		names := plan.Encoder.Names()
		names.Ignore = nil
		dir := t.TempDir()
		if err := hf.Save(store.RootScope().At("policy"), dir, names, hf.Format{}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file, err := safefile.Open(filepath.Join(dir, "model.safetensors"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		loaded := model.NewStore()
		if err := plan.Encoder.Trace(devicetest.Open(t), loaded); err != nil {
			t.Fatal(err)
		}
		report, err := hf.Load(loaded.RootScope(), file, plan.Encoder.Names())
		if err != nil || len(report.Warnings) > 0 {
			t.Fatalf("%s: got %v %v, want no report.Warnings", name, err, report.Warnings)
		}
		for variable := range loaded.IterVariables() {
			want := store.GetVariable("/policy" + variable.Path())
			if want == nil || !want.MustValue().Equal(variable.MustValue()) {
				t.Errorf("%s: %s was not taken over", name, variable.Path())
			}
		}
	}
}

func TestSmall_FrameLength(t *testing.T) {
	for name, c := range map[string]wav2vec2.Config{"base": wav2vec2.Base(), "hubert": wav2vec2.HubertBase(),
		"xls-r": wav2vec2.XLSR300M()} {
		small := pretrain.Small(c)
		if err := small.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if field, frames := small.ReceptiveField(), small.Frames(416+160*9); field != 416 || frames != 10 {
			t.Errorf("%s: a frame of %d samples, %d frames", name, field, frames)
		}
		if small.ModelType != c.ModelType || small.FeatExtractNorm != c.FeatExtractNorm {
			t.Errorf("%s: its kind and its norms changed", name)
		}
	}
}
