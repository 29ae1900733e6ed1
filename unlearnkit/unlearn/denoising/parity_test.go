package denoising_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// fixture is the output of gen_erasing.py.
type fixture struct{ paritytest.Reference }

// openErasing returns the fixture with its model, and a store with the model's values.
func openErasing(t *testing.T) (fixture, denoising.Diffusion, *model.Store) {
	t.Helper()
	text, err := os.ReadFile("testdata/unet/config.json")
	if err != nil {
		t.Fatal(err)
	}
	config, err := diffusion.ParseUNetConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{paritytest.Open(t, "testdata/erasing.safetensors")}
	d := denoising.Diffusion{
		Device: devicetest.Open(t), Model: diffusion.Model{UNet: config, Schedule: schedule.StableDiffusion()},
		Text: func(scope *model.Scope, ids *graph.Node) *graph.Node {
			return diffusion.TextEmbedding(scope, ids, 11, 4, 6)
		},
	}
	store := model.NewStore()
	_, err = d.Device.Trace("load", store, func(root *model.Scope, in []*graph.Node) []*graph.Node {
		return []*graph.Node{d.Noise(root.At(unlearn.Policy), in[0], in[1], in[2])}
	}, f.Tensor("step.0.sample", dtypes.Float32).Shape(), shapes.Make(dtypes.Int32, 4), shapes.Make(dtypes.Int32, 4, 4))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := hf.Open("testdata/unet")
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Tensors.Close()
	if _, err := hf.Load(store.RootScope().At(unlearn.Policy).At("unet"), folder.Tensors, config.Names()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"token_embedding", "position_embedding"} {
		if err := store.GetVariable("/" + unlearn.Policy + "/text_encoder/" + name +
			"/weight").SetValue(f.Tensor(name, dtypes.Float32)); err != nil {
			t.Fatal(err)
		}
	}
	return f, d, store
}

// streams returns a stream with the fixture's texts.
func (f fixture) streams() unlearn.Streams {
	texts := unlearn.Table{}
	for _, name := range []string{denoising.Prompt, denoising.Anchor, denoising.Empty} {
		texts[name] = f.Tensor("step.0."+name, dtypes.Int32)
	}
	return unlearn.Streams{unlearn.Forget: texts}
}

// drawn returns a function that returns the fixture's batches in the order of feed.
func (f fixture) drawn(phase denoising.Phase) func(step int) (train.Batch, error) {
	return func(step int) (train.Batch, error) {
		var batch train.Batch
		for _, stream := range phase.Drawn {
			for _, column := range stream.Columns {
				kind := dtypes.Int32
				if column == denoising.Sample || column == denoising.Added {
					kind = dtypes.Float32
				}
				batch.Inputs = append(batch.Inputs, f.Tensor(fmt.Sprintf("step.%d.%s", step, column), kind))
			}
		}
		rows := batch.Inputs[0].Shape().Dim(0)
		batch.Inputs = slices.Insert(batch.Inputs, 0, tensors.FromFlatDataAndDimensions(make([]int32, rows), rows))
		return batch, nil
	}
}

// The settings of gen_erasing.py.
var erasingSettings = unlearn.Values{"rate": 2e-3, "decay": 0.5, "average": 0.9, "clip": 1, "eta": 1.25}

func TestEveryMethod_StepsEqualPyTorch(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range denoising.Methods() {
		t.Run(m.Name, func(t *testing.T) { compareErasing(t, m, m.Name, unlearn.Values{}) })
	}
	ablating := denoising.AblatingConcepts(denoising.ModelBased, denoising.AblationGroups()[0])
	t.Run("regularised", func(t *testing.T) {
		compareErasing(t, ablating, "ablating-model regularised",
			unlearn.Values{"regulariser": 0.2})
	})
	t.Run("held", func(t *testing.T) {
		compareErasing(t, ablating, "ablating-model held", unlearn.Values{})
	})
}

func compareErasing(t *testing.T, m denoising.Method, name string, settings unlearn.Values) {
	t.Parallel() // XLA compiles each method
	f, d, store := openErasing(t)
	d.Model.UNet.HoldFirst = name == "ablating-model held"
	for _, setting := range m.Settings {
		if value, given := erasingSettings[setting.Name]; given {
			settings[setting.Name] = value
		}
	}
	phases, err := m.Lay(settings, f.streams())
	if err != nil {
		t.Fatal(err)
	}
	before := trained(t, store, phases[0], true, f.Floats("trained." + name)[0])
	held := trained(t, store, phases[0], false, -1)
	log, err := denoising.Job{
		Device: d.Device, Store: store, Task: denoising.NewTask(d, f.streams()), Method: m, Values: settings,
	}.Steps(t.Context(), 3, f.drawn(phases[0]))
	if err != nil {
		t.Fatal(err)
	}
	unlearntest.CompareLosses(t, f.Floats("loss."+name), log)
	unlearntest.CompareChanges(t, f.Floats("change."+name), erasingSettings["rate"], 2, before,
		trained(t, store, phases[0], true, -1))
	if !slices.Equal(held, trained(t, store, phases[0], false, -1)) {
		t.Error("what is not trained has moved")
	}
	optimizer := phases[0].Optimizer
	if optimizer.Average == 0 {
		return
	}
	optimizer.Scope = "optimizer_0"
	if err := optimizer.SwapAverage(store); err != nil {
		t.Fatal(err)
	}
	after := trained(t, store, phases[0], true, -1)
	for i, want := range f.Floats("average." + name) {
		if !math.IsNaN(want) && math.Abs(after[i]-before[i]-want) > 1e-3*max(math.Abs(want), 4e-5) {
			t.Errorf("average of parameter %d: the change is %g, PyTorch's %g", i, after[i]-before[i], want)
		}
	}
}

// trained returns the policy's values in the tensors that a phase trains or, if are is false, in the other tensors.
// They are in the order of PyTorch's names. The number of tensors is checked unless count is negative.
func trained(t *testing.T, store *model.Store, phase denoising.Phase, are bool, count float64) []float64 {
	t.Helper()
	var names []string
	for variable := range store.Scope("/" + unlearn.Policy).IterVariables() {
		path := strings.TrimPrefix(variable.Path(), "/"+unlearn.Policy+"/")
		if (phase.Optimizer.Select(path) != 0) == are {
			names = append(names, strings.ReplaceAll(path, "/", "."))
		}
	}
	if count >= 0 && len(names) != int(count) {
		t.Errorf("%d tensors are trained, in PyTorch %g", len(names), count)
	}
	slices.Sort(names)
	var all []float64
	for _, name := range names {
		all = append(all, paritytest.Values(store.GetVariable("/"+unlearn.Policy+"/"+strings.ReplaceAll(name, ".",
			"/")).MustValue())...)
	}
	return all
}

// Each method trains as many parameters and tensors of the UNet as gen_erasing.py counts in diffusers' own UNet.
func TestEveryMethod_TrainedParts(t *testing.T) {
	d := tinyDiffusion(t)
	d.Model = diffusion.StableDiffusion()
	store := model.NewStore()
	if err := d.Model.UNet.Trace(d.Device, store); err != nil {
		t.Fatal(err)
	}
	want := map[string][2]int{
		"esd-x": {43_962_560, 80}, "esd-u": {813_495_680, 598}, "esd-x-newer": {43_962_560, 80},
		"esd-u-newer": {815_358_084, 388}, "sdd": {43_962_560, 80},
		"ablating-model": {19_169_280, 32}, "ablating-noise": {19_169_280, 32},
		"ablating-model-full": {859_520_964, 686}, "ablating-noise-full": {859_520_964, 686},
		"ablating-model-embedding": {0, 0}, "ablating-noise-embedding": {0, 0}, // they train no tensor of the UNet
	}
	for _, m := range denoising.Methods() {
		phases, err := m.Lay(nil, streams())
		if err != nil {
			t.Fatal(err)
		}
		phase := phases[0]
		var got [2]int
		for variable := range store.IterVariables() {
			if phase.Optimizer.Select("unet"+variable.Path()) != 0 {
				got[0] += variable.Shape().Size()
				got[1]++
			}
		}
		if got != want[m.Name] {
			t.Errorf("%s trains %d parameters in %d tensors, want %d in %d", m.Name, got[0], got[1], want[m.Name][0],
				want[m.Name][1])
		}
		for path, trains := range map[string]bool{
			"text_encoder/token_embedding/weight":                          true,
			"text_encoder/text_model/embeddings/token_embedding/weight":    true,
			"text_encoder/text_model/embeddings/position_embedding/weight": false,
		} {
			if trains = trains && strings.HasSuffix(m.Name,
				"-embedding"); (phase.Optimizer.Select(path) != 0) != trains {
				t.Errorf("%s trains %s: %v", m.Name, path, !trains)
			}
		}
	}
}
