package wav2vec2_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// rewritten returns a fixture's file with changed tensors. change returns a tensor's new name and shape. If the name is
// "", the tensor is left out.
func rewritten(t *testing.T, name string,
	change func(name string, values []float32, shape []int) (string, []int)) *safefile.Tensors {
	t.Helper()
	file, err := safefile.Open(filepath.Join("testdata", name, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []safefile.TensorData
	for _, name := range file.Names() {
		tensor, _ := file.Tensor(name)
		values := make([]float32, tensor.Elements())
		if err := file.Float32(name, values); err != nil {
			t.Fatal(err)
		}
		if name, shape := change(name, values, tensor.Shape); name != "" {
			all = append(all, safefile.TensorOf(name, shape, values))
		}
	}
	path := filepath.Join(t.TempDir(), "model.safetensors")
	if err := safefile.WriteTensors(path, all, nil); err != nil {
		t.Fatal(err)
	}
	changed, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { changed.Close() })
	return changed
}

func load(t *testing.T, c wav2vec2.Config, file *safefile.Tensors) (*model.Store, hf.Report, error) {
	t.Helper()
	store := model.NewStore()
	if err := c.Trace(devicetest.Open(t), store); err != nil {
		t.Fatal(err)
	}
	report, err := hf.Load(store.RootScope(), file, c.Names())
	return store, report, err
}

// older converts names to those in transformers before parametrizations in PyTorch.
var older = strings.NewReplacer("parametrizations.weight.original0", "weight_g", "parametrizations.weight.original1",
	"weight_v")

func TestLoad_WeightNormNames(t *testing.T) {
	f := open(t, "base", dtypes.Float32)
	file := rewritten(t, "base", func(name string, _ []float32, shape []int) (string, []int) {
		return older.Replace(name), shape
	})
	store, _, err := load(t, f.config, file)
	if err != nil {
		t.Fatal(err)
	}
	f.sameTensors(t, store, len(slices.Collect(f.store.IterVariables())))
}

// sameTensors fails the test unless the store has want tensors with the values of the fixture's model.
func (f fixture) sameTensors(t *testing.T, store *model.Store, want int) {
	t.Helper()
	count := 0
	for variable := range store.IterVariables() {
		count++
		if !variable.MustValue().Equal(f.tensor(t, dotted(variable))) {
			t.Errorf("%s has other values than the file", dotted(variable))
		}
	}
	if count != want {
		t.Errorf("the model has %d tensors, want %d", count, want)
	}
}

func TestLoad_AnyHead(t *testing.T) {
	tests := []struct {
		name   string
		rename func(string) string
	}{
		{"a backbone's own file", func(name string) string {
			backbone, _ := strings.CutPrefix(name, "wav2vec2.")
			if backbone == name {
				return ""
			}
			return backbone
		}},
		{"an old backbone's own file", func(name string) string {
			backbone, _ := strings.CutPrefix(older.Replace(name), "wav2vec2.")
			if backbone == name {
				return ""
			}
			return backbone
		}},
		{"with the head for intents", func(name string) string { return name }},
		{"with a quantiser", func(name string) string {
			return strings.Replace(name, "projector.", "quantizer.weight_proj.", 1)
		}},
		{"with a head for letters", func(name string) string {
			return strings.Replace(name, "classifier.", "lm_head.", 1)
		}},
	}
	f := open(t, "base", dtypes.Float32)
	backbone := f.config
	backbone.NumLabels = 0
	const head = 4 // weights and biases of the projector and the classifier
	want := len(slices.Collect(f.store.IterVariables())) - head
	for _, test := range tests {
		file := rewritten(t, "base", func(name string, _ []float32, shape []int) (string, []int) {
			return test.rename(name), shape
		})
		store, _, err := load(t, backbone, file)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		f.sameTensors(t, store, want)
	}
}

func TestBackbone_LastHiddenState(t *testing.T) {
	f := open(t, "stable", dtypes.Float32)
	f.config.NumLabels = 0
	outputs, err := f.config.Run(f.device, f.store, map[string]*tensors.Tensor{
		"input_values":   f.reference.Tensor("input_values", dtypes.Float32),
		"attention_mask": f.reference.Tensor("attention_mask", dtypes.Int32),
	})
	if err != nil {
		t.Fatal(err)
	}
	f.reference.Compare("masked.last_hidden_state", outputs["last_hidden_state"], 1e-4, 0)
}

func TestSave_SameFile(t *testing.T) {
	f := open(t, "stable", dtypes.Float32)
	dir := t.TempDir()
	if err := hf.Save(f.store.RootScope(), dir, f.config.Names(), hf.Format{}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/stable/model.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("the saved file differs from the one that was read")
	}
}

func TestLoad_Misfit(t *testing.T) {
	f := open(t, "base", dtypes.Float32)
	tests := []struct {
		name, want string
		change     func(name string, values []float32, shape []int) (string, []int)
	}{
		{"missing", "missing: classifier.bias", func(name string, _ []float32, shape []int) (string, []int) {
			if name == "classifier.bias" {
				return "", nil
			}
			return name, shape
		}},
		{"extra", "not known to the model: classifier.gain",
			func(name string, _ []float32, shape []int) (string, []int) {
				return strings.Replace(name, "classifier.bias", "classifier.gain", 1), shape
			}},
		{"misshapen", "classifier.weight is [14 5] and should be [5 14]",
			func(name string, _ []float32, shape []int) (string, []int) {
				if name == "classifier.weight" {
					return name, []int{14, 5}
				}
				return name, shape
			}},
	}
	for _, test := range tests {
		_, _, err := load(t, f.config, rewritten(t, "base", test.change))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is %v, want one line with %q", test.name, err, test.want)
		}
	}
	wrong := f.config
	wrong.ModelType = "hubert"
	file := rewritten(t, "base", func(name string, _ []float32, shape []int) (string, []int) { return name, shape })
	if _, _, err := load(t, wrong, file); err == nil || !strings.Contains(err.Error(), "hubert.") {
		t.Errorf("a wav2vec2 file is taken for HuBERT's: %v", err)
	}
}

func TestLoad_NaN(t *testing.T) {
	f := open(t, "base", dtypes.Float32)
	file := rewritten(t, "base", func(name string, values []float32, shape []int) (string, []int) {
		if name == "projector.bias" {
			values[3] = float32(math.NaN())
		}
		return name, shape
	})
	_, report, err := load(t, f.config, file)
	if err != nil || len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "projector.bias") {
		t.Errorf("the warnings are %q and the error %v, want one that names projector.bias", report.Warnings, err)
	}
}

func TestArrays_Refused(t *testing.T) {
	f := open(t, "base", dtypes.Float32)
	values := f.reference.Tensor("input_values", dtypes.Float32)
	marks := func(row ...int32) *tensors.Tensor {
		all := slices.Repeat([]int32{1}, 3*403)
		copy(all[403:], row)
		return tensors.FromFlatDataAndDimensions(all, 3, 403)
	}
	type arrays = map[string]*tensors.Tensor
	tests := []struct {
		want   string
		inputs arrays
	}{
		{"input_values [batch, samples] is missing", arrays{}},
		{`no input "pixel_values"`, arrays{"input_values": values, "pixel_values": values}},
		{"float32 or float64", arrays{"input_values": f.reference.Tensor("labels", dtypes.Int32)}},
		{"[batch, samples]", arrays{"input_values": f.reference.Tensor("losses", dtypes.Float32)}},
		{"50 samples", arrays{"input_values": tensors.FromFlatDataAndDimensions(make([]float32, 49), 1, 49)}},
		{"shape of input_values", arrays{"input_values": values,
			"attention_mask": f.reference.Tensor("time", dtypes.Bool)}},
		{"bool, int32 or int64", arrays{"input_values": values, "attention_mask": values}},
		{"sound after padding in row 1", arrays{"input_values": values, "attention_mask": marks(1, 1, 0)}},
		{"leaves 30 samples in row 1",
			arrays{"input_values": values,
				"attention_mask": marks(append(slices.Repeat([]int32{1}, 30), make([]int32, 373)...)...)}},
	}
	for _, test := range tests {
		_, err := f.config.Run(f.device, f.store, test.inputs)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("the error is %v, want one line with %q", err, test.want)
		}
	}
	outputs, err := f.config.Run(f.device, f.store,
		arrays{"input_values": values, "attention_mask": f.reference.Tensor("attention_mask", dtypes.Bool)})
	if err != nil {
		t.Fatal(err)
	}
	f.reference.Compare("masked.logits", outputs["logits"], 1e-4, 0)
	if math.IsNaN(paritytest.Values(outputs["logits"])[0]) {
		t.Error("the logits are not numbers")
	}
}
