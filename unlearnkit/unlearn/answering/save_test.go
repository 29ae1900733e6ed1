package answering_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

var rewrite = flag.Bool("rewrite", false, "write the folders in testdata/written anew; then run gen_written.py")

// written is the output folder of the test below, with the results of gen_written.py.
const written = "testdata/written"

// moveTrained replaces the tensors that an adapted model trains by random values.
func moveTrained(t *testing.T, policy *model.Scope) {
	t.Helper()
	for v := range policy.IterVariables() {
		if !strings.Contains(v.Path(), "/lora_B/") && !strings.Contains(v.Path(), "/multi_modal_projector/") {
			continue
		}
		source, values := seed.Stream(7, v.Path()), tensors.MustCopyFlatData[float32](v.MustValue())
		for i := range values {
			values[i] += float32(source.IntN(2001)-1000) / 4000
		}
		if err := v.SetValue(tensors.FromFlatDataAndDimensions(values, v.Shape().Dimensions...)); err != nil {
			t.Fatal(err)
		}
	}
}

// logits returns the policy's logits for the inputs that gen_written.py passed to PEFT.
func (f fixture) logits(t *testing.T, store *model.Store, asked paritytest.Reference) *tensors.Tensor {
	t.Helper()
	return paritytest.Compute(t, f.device, store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{llava.Logits(scope.At(unlearn.Policy), f.config, x[0], x[1], nil)}
	}, asked.Tensor("pixel_values", dtypes.Float32), asked.Tensor("input_ids", dtypes.Int32))[0]
}

// writeBoth writes the adapter of the adapted policy of a store, and then the model with the adapter merged.
func (f fixture) writeBoth(t *testing.T, store *model.Store, dir string) {
	t.Helper()
	policy := store.RootScope().At(unlearn.Policy)
	adapter, merged := filepath.Join(dir, "adapter"), filepath.Join(dir, "merged")
	for _, folder := range []string{adapter, merged} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := answering.LLaVA(f.config).SaveAdapter(policy, adapter); err != nil {
		t.Fatal(err)
	}
	if err := nn.Merge(policy.At("language_model")); err != nil {
		t.Fatal(err)
	}
	if err := hf.Save(policy, merged, f.config.Names(), hf.Format{}); err != nil {
		t.Fatal(err)
	}
}

// gen_written.py has shown that PEFT and transformers load the written files. The logits must equal those libraries'
// logits.
func TestSave_PEFTAndTransformers(t *testing.T) {
	f := openFixture(t, dtypes.Float32)
	adapted := func() *model.Store {
		store := f.store(t, false)
		policy := store.RootScope().At(unlearn.Policy)
		if err := answering.LLaVA(f.config).Adapt(policy, nn.LoRA{Rank: 3, Alpha: 6}, 11); err != nil {
			t.Fatal(err)
		}
		moveTrained(t, policy)
		return store
	}
	if *rewrite {
		f.writeBoth(t, adapted(), written)
	}
	dir, merged := t.TempDir(), adapted()
	f.writeBoth(t, merged, dir)
	for _, name := range []string{"adapter/adapter_config.json", "adapter/adapter_model.safetensors",
		"merged/model.safetensors"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		want, missing := os.ReadFile(filepath.Join(written, name))
		if err != nil || missing != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not the file that PEFT and transformers were shown: %v, %v; run with -rewrite and then "+
				"gen_written.py", name, err, missing)
		}
	}
	again := f.store(t, false)
	if _, err := hf.LoadAdapter(again.RootScope().At(unlearn.Policy), dir+"/adapter", f.config.Names()); err != nil {
		t.Fatal(err)
	}
	asked := paritytest.Open(t, written+"/expected.safetensors")
	asked.Compare("adapted", f.logits(t, adapted(), asked), 1e-5, 0)
	asked.Compare("adapted", f.logits(t, again, asked), 1e-5, 0)
	asked.Compare("merged", f.logits(t, merged, asked), 1e-5, 0)
}

func TestSaveAdapter_Decoder(t *testing.T) {
	f := openFixture(t, dtypes.Float32)
	store := f.store(t, false)
	decoder := store.RootScope().At(unlearn.Policy).At("language_model")
	m, dir := answering.Decoder(f.config.Text), t.TempDir()
	if err := m.Adapt(decoder, nn.LoRA{Rank: 2, Alpha: 4, Targets: []string{"q_proj"}}, 1); err != nil {
		t.Fatal(err)
	}
	if err := m.SaveAdapter(decoder, dir); err != nil {
		t.Fatal(err)
	}
	report, err := hf.LoadAdapter(f.store(t, false).RootScope().At(unlearn.Policy).At("language_model"), dir,
		f.config.Text.Names())
	if err != nil || report.Tensors != 2*f.config.Text.Layers {
		t.Errorf("got %+v, %v, want Tensors %v", report, err, 2*f.config.Text.Layers)
	}
}

func TestSaveAdapter_Refused(t *testing.T) {
	f := openFixture(t, dtypes.Float32)
	m := answering.LLaVA(f.config)
	layers := func(policy *model.Scope, layer string) *model.Scope {
		return policy.At("language_model").At("model").At("layers").At("%s", layer)
	}
	for _, test := range []struct {
		name string
		make func(policy *model.Scope) error
		want string
	}{
		{"none", func(*model.Scope) error { return nil }, "the model has no adapters; make some by Model.Adapt"},
		{"two ranks", func(policy *model.Scope) error {
			first := nn.LoRA{Rank: 2, Alpha: 4, Targets: []string{"q_proj"}}
			if err := nn.Attach(layers(policy, "0"), first, 1); err != nil {
				return err
			}
			return nn.Attach(layers(policy, "1"), nn.LoRA{Rank: 3, Alpha: 4, Targets: []string{"q_proj"}}, 1)
		}, "are of ranks 2 and 3 and alphas 4 and 4; a folder has one of each"},
		{"matrices of another rank", func(policy *model.Scope) error {
			if err := m.Adapt(policy, nn.LoRA{Rank: 2, Alpha: 4}, 1); err != nil {
				return err
			}
			nn.Adapt(policy.At("language_model"), nn.LoRA{Rank: 4, Alpha: 4, Targets: slices.Clone(llava.Projections)})
			return nil
		}, "one of rank 4 for this layer is [4 24]"},
	} {
		policy, dir := f.store(t, false).RootScope().At(unlearn.Policy), t.TempDir()
		if err := test.make(policy); err != nil {
			t.Fatal(err)
		}
		err := m.SaveAdapter(policy, dir)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is %v, want %q", test.name, err, test.want)
		}
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			t.Errorf("%s: %v is written all the same", test.name, files)
		}
	}
}
