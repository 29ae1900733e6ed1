package unlearn

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

	"github.com/unlearnlab/unlearnlab/unlearnkit/device/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/paritytest"
)

// openErasing is what gen_erasing.py has written: the task and a store with its model.
func openErasing(t *testing.T) (fixture, Diffusion, *model.Store) {
	t.Helper()
	text, err := os.ReadFile("testdata/unet/config.json")
	if err != nil {
		t.Fatal(err)
	}
	config, err := diffusion.ParseUNetConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{Reference: paritytest.Open(t, "testdata/erasing.safetensors")}
	task := Diffusion{
		Device: devicetest.Open(t), Model: diffusion.Model{UNet: config, Schedule: schedule.StableDiffusion()},
		Text: func(scope *model.Scope, ids *graph.Node) *graph.Node {
			return diffusion.TextEmbedding(scope, ids, 11, 4, 6)
		},
		Streams: map[string]Stream{Forget: table{4, []string{Prompt, Anchor, Empty},
			func(rows []int) ([]*tensors.Tensor, error) {
				var batch []*tensors.Tensor
				for _, name := range []string{Prompt, Anchor, Empty} {
					whole := f.Tensor("step.0."+name, dtypes.Int32)
					batch = append(batch, chosen(tensors.MustCopyFlatData[int32](whole), whole, rows))
				}
				return batch, nil
			}}},
	}
	store := model.NewStore()
	_, err = task.Device.Trace("load", store, func(root *model.Scope, in []*graph.Node) []*graph.Node {
		return []*graph.Node{task.Noise(root.At(Policy), in[0], in[1], in[2])}
	}, f.Tensor("step.0.sample", dtypes.Float32).Shape(), shapes.Make(dtypes.Int32, 4), shapes.Make(dtypes.Int32, 4, 4))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := hf.Open("testdata/unet")
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Tensors.Close()
	if _, err := hf.Load(store.RootScope().At(Policy).At(unetPart), folder.Tensors, config.Names()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"token_embedding", "position_embedding"} {
		if err := store.GetVariable("/" + Policy + "/" + textPart + "/" + name +
			"/weight").SetValue(f.Tensor(name, dtypes.Float32)); err != nil {
			t.Fatal(err)
		}
	}
	return f, task, store
}

// drawn lays out the batches of the fixture as feed does what a phase draws.
func (f fixture) drawn(phase Phase) func(step int) (train.Batch, error) {
	return func(step int) (train.Batch, error) {
		var batch train.Batch
		for _, stream := range phase.Drawn {
			for _, column := range stream.Columns {
				kind := dtypes.Int32
				if column == Sample || column == Added {
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
var erasingSettings = Values{"rate": 2e-3, "decay": 0.5, "average": 0.9, "clip": 1, "eta": 1.25}

func TestErasingMethodsTakeTheStepsOfThePyTorchImplementation(t *testing.T) {
	watch(t)
	for _, m := range Erasing() {
		t.Run(m.Name, func(t *testing.T) { compareErasing(t, m, m.Name, Values{}) })
	}
	t.Run("regularised", func(t *testing.T) {
		compareErasing(t, AblatingConcepts(ModelBased, AblationGroups()[0]), "ablating-model regularised",
			Values{"regulariser": 0.2})
	})
	t.Run("held", func(t *testing.T) {
		compareErasing(t, AblatingConcepts(ModelBased, AblationGroups()[0]), "ablating-model held", Values{})
	})
}

func compareErasing(t *testing.T, m Method, name string, settings Values) {
	f, task, store := openErasing(t)
	task.Model.UNet.HoldFirst = name == "ablating-model held"
	for _, setting := range m.Settings {
		if value, given := erasingSettings[setting.Name]; given {
			settings[setting.Name] = value
		}
	}
	j := Job{Device: task.Device, Store: store, Task: task, Method: m, Values: settings, Budgets: []int{5}}
	phases, err := j.phases()
	if err != nil {
		t.Fatal(err)
	}
	if m.Reference {
		if err := j.freeze(); err != nil {
			t.Fatal(err)
		}
	}
	before := trained(t, store, phases[0], true, f.Floats("trained." + name)[0])
	held := trained(t, store, phases[0], false, -1)
	job, _ := j.training(t.Context(), phases[0], 0)
	job.Batch, job.Steps = f.drawn(phases[0]), 3
	log, err := job.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.losses(t, name, log)
	f.changes(t, name, paritySettings["rate"]/2, before, trained(t, store, phases[0], true, -1))
	if !slices.Equal(held, trained(t, store, phases[0], false, -1)) {
		t.Error("what is not trained has moved")
	}
	if job.Optimizer.Average == 0 {
		return
	}
	if err := job.Optimizer.SwapAverage(store); err != nil {
		t.Fatal(err)
	}
	after := trained(t, store, phases[0], true, -1)
	for i, want := range f.Floats("average." + name) {
		if !math.IsNaN(want) && math.Abs(after[i]-before[i]-want) > 1e-3*max(math.Abs(want), 4e-5) {
			t.Errorf("average of parameter %d: the change is %g, PyTorch's %g", i, after[i]-before[i], want)
		}
	}
}

// trained are the policy's numbers in the tensors that a phase trains, or in the others, in the order of PyTorch's
// names. The number of tensors is checked unless it is negative.
func trained(t *testing.T, store *model.Store, phase Phase, are bool, count float64) []float64 {
	t.Helper()
	var names []string
	for variable := range store.Scope("/" + Policy).IterVariables() {
		path := strings.TrimPrefix(variable.Path(), "/"+Policy+"/")
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
		all = append(all, paritytest.Values(store.GetVariable("/"+Policy+"/"+strings.ReplaceAll(name, ".",
			"/")).MustValue())...)
	}
	return all
}

// The counts that gen_erasing.py prints of diffusers' own UNet.
func TestErasingMethodsTrainTheirPartsOfStableDiffusion(t *testing.T) {
	task := tinyDiffusion(t)
	task.Model = diffusion.StableDiffusion()
	store := model.NewStore()
	if err := task.Model.UNet.Trace(task.Device, store); err != nil {
		t.Fatal(err)
	}
	want := map[string][2]int{
		"esd-x": {43_962_560, 80}, "esd-u": {813_495_680, 598}, "esd-x-newer": {43_962_560, 80},
		"esd-u-newer": {815_358_084, 388}, "sdd": {43_962_560, 80},
		"ablating-model": {19_169_280, 32}, "ablating-noise": {19_169_280, 32},
		"ablating-model-full": {859_520_964, 686}, "ablating-noise-full": {859_520_964, 686},
		"ablating-model-embedding": {0, 0}, "ablating-noise-embedding": {0, 0}, // nothing of the UNet
	}
	for _, m := range Erasing() {
		phase := m.Phases(Plan{m, nil, task.Stream})[0]
		var got [2]int
		for variable := range store.IterVariables() {
			if phase.Optimizer.Select(unetPart+variable.Path()) != 0 {
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
