package answering_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// likelihood returns the mean of log p over the tokens of the answers to forget.
func likelihood(t *testing.T, j answering.Job) float64 {
	t.Helper()
	j.Method, j.Budgets = answering.GradientAscent(), []int{1}
	j.Values = unlearn.Values{"batch": 5, "rate": 1e-30, "decay": 0, "warmup": 0}
	if j.Store.Scope("/policy/language_model/model/layers/0/self_attn/q_proj/lora_A").NumVariables() == 0 {
		j.Values["whole"] = 1
	}
	result, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return result.Log[0].Loss
}

func TestAdapter_PEFTRoundTrip(t *testing.T) {
	unlearntest.Watch(t)
	f := openFixture(t, dtypes.Float32)
	j := newJob(t, answering.NPO(), 2)
	start := likelihood(t, newJob(t, answering.NPO(), 2))
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	policy := j.Store.RootScope().At(unlearn.Policy)
	format := hf.AdapterFormat{LoRA: nn.LoRA{Rank: 3, Alpha: 6}, Layout: llava.InMemory5,
		Trained: []string{"multi_modal_projector"}}
	folder := t.TempDir()
	if err := hf.SaveAdapter(policy, folder, f.config.Names(), format); err != nil {
		t.Fatal(err)
	}
	again := newJob(t, answering.NPO(), 2)
	again.Store = f.store(t, false)
	if _, err := hf.LoadAdapter(again.Store.RootScope().At(unlearn.Policy), folder, f.config.Names()); err != nil {
		t.Fatal(err)
	}
	trained := likelihood(t, j)
	if got := likelihood(t, again); got != trained || trained == start {
		t.Errorf("the loss is %g, with the adapter that was written and read %g, at the start %g", trained, got, start)
	}
	// Merging gives a model without adapters that computes the same outputs.
	if err := nn.Merge(j.Store.Scope("/policy/language_model/model/layers")); err != nil {
		t.Fatal(err)
	}
	if d := likelihood(t, j)/trained - 1; d > 1e-5 || d < -1e-5 {
		t.Errorf("merging changes the loss by %g of it", d)
	}
}

func TestAdapter_OtherWidth(t *testing.T) {
	f := openFixture(t, dtypes.Float32)
	f.config.Text.Hidden = 40 // the adapter is for perceptrons of width 34
	store := model.NewStore()
	f.trace(t, store)
	before := store.NumVariables()
	_, err := hf.LoadAdapter(store.RootScope().At(unlearn.Policy), "testdata/adapter", f.config.Names())
	if err == nil || !strings.Contains(err.Error(), "is [34 3] and should be [40 3]") ||
		strings.Contains(err.Error(), "\n") || store.NumVariables() != before {
		t.Errorf("%v; %d tensors, %d before", err, store.NumVariables(), before)
	}
}

// An adapter on some projections is trained like an adapter on all of them.
func TestAdapter_SomeProjections(t *testing.T) {
	unlearntest.Watch(t)
	f := openFixture(t, dtypes.Float32)
	j := newJob(t, answering.GradientDifference(), 1)
	j.Store = f.store(t, false)
	policy := j.Store.RootScope().At(unlearn.Policy)
	l := nn.LoRA{Rank: 2, Alpha: 4, Targets: []string{"q_proj", "v_proj"}}
	if err := answering.LLaVA(f.config).Adapt(policy, l, 5); err != nil {
		t.Fatal(err)
	}
	j.Values["projector"] = 0
	before := unlearntest.Contents(t, j.Store, unlearn.Policy)
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	moved := unlearntest.Differing(before, unlearntest.Contents(t, j.Store, unlearn.Policy))
	var want []string
	for _, layer := range []string{"0", "1"} {
		for _, name := range []string{"q_proj/lora_A", "q_proj/lora_B", "v_proj/lora_A", "v_proj/lora_B"} {
			want = append(want, "language_model/model/layers/"+layer+"/self_attn/"+name+"/weight")
		}
	}
	if slices.Sort(moved); !slices.Equal(moved, want) {
		t.Errorf("%v moved, want %v", moved, want)
	}
}
