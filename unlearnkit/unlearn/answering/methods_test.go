package answering_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

func TestMethods_Catalogue(t *testing.T) {
	readFrozen := []string{"kl", "dpo", "npo"}
	entries := catalogue.Answering.Entries()
	for i, m := range answering.Methods() {
		if i >= len(entries) || m.Name != entries[i].Name || m.Version != entries[i].Version ||
			m.Reference != slices.Contains(readFrozen, m.Name) || m.Frozen != nil {
			t.Errorf("method %d is %s, version %d; it reads the frozen model: %v, and %v", i, m.Name, m.Version,
				m.Reference, m.Frozen)
		}
	}
	if len(answering.Methods()) != len(entries) {
		t.Errorf("the catalogue has %d methods", len(entries))
	}
}

func TestEveryMethod_Digests(t *testing.T) {
	unlearntest.Watch(t)
	digests := map[string]string{}
	for _, m := range answering.Methods() {
		digests[m.Name] = unlearntest.Digest(t, newJob(t, m, budgetsOf(m)...))
	}
	unlearntest.CompareDigests(t, "testdata/digests.json", digests)
}

func TestRun_Processors(t *testing.T) {
	unlearntest.Watch(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, m := range []answering.Method{answering.DPO(), answering.KL(), answering.PO()} {
		var first string
		for _, processors := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(processors)
			digest := unlearntest.Digest(t, newJob(t, m, 1))
			if first == "" {
				first = digest
			}
			if digest != first {
				t.Errorf("%s on %d processors makes %.12s, on one %.12s", m.Name, processors, digest, first)
			}
		}
	}
}

// The batches of five rows to forget and six to keep are 2 2 1 and 2 2 2; partners are drawn in addition.
func TestPass_OverForgetRows(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range answering.Methods() {
		want := []int{2, 2, 1}
		switch m.Name {
		case "finetuning":
			want = []int{2, 2, 2}
		case "gradient-difference-alternating":
			want = slices.Repeat([]int{2, 2, 1, 2, 2, 2}, 5)
		}
		result, err := newJob(t, m, 1).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, step := range result.Log {
			got = append(got, step.Examples)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: steps of %v rows, want %v", m.Name, got, want)
		}
	}
}

// The rate warms up and falls along one cosine over all phases.
func TestRate_OneCosine(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range []answering.Method{answering.GradientAscent(), answering.GradientDifferenceAlternating()} {
		j := newJob(t, m, budgetsOf(m)...)
		j.Values["warmup"] = 0.3
		result, err := j.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		highest := 0
		for i, step := range result.Log {
			if step.Rate > result.Log[highest].Rate {
				highest = i
			}
		}
		warm := map[int]int{6: 2, 30: 9}[len(result.Log)] // 0.3 of the steps, rounded up
		for i, step := range result.Log[1:] {
			if rising := i+1 <= warm; rising != (step.Rate > result.Log[i].Rate) {
				t.Errorf("%s: step %d of %d has the rate %g after %g", m.Name, i+1, len(result.Log), step.Rate,
					result.Log[i].Rate)
			}
		}
		if highest != warm || result.Log[0].Rate != 0 || result.Log[highest].Rate != j.Values["rate"] {
			t.Errorf("%s: the rate begins at %g and is highest, %g, in step %d", m.Name, result.Log[0].Rate,
				result.Log[highest].Rate, highest)
		}
	}
}

// watched returns the method, and records in drawn the random columns of each step.
func watched(m answering.Method, drawn *[]string) answering.Method {
	phasesOf := m.Phases
	m.Phases = func(p *unlearn.Plan) ([]answering.Phase, error) {
		phases, err := phasesOf(p)
		for i := range phases {
			for k, random := range phases[i].Random {
				phases[i].Random[k].Draw = func(r *rand.Rand, rows int) ([]*tensors.Tensor, error) {
					columns, err := random.Draw(r, rows)
					*drawn = append(*drawn, fmt.Sprint(random.Name, columns))
					return columns, err
				}
			}
		}
		return phases, err
	}
	return m
}

// Partners and refusals depend on the step and on the seed, and not on the run.
func TestPartners_StepAndSeed(t *testing.T) {
	unlearntest.Watch(t)
	draws := func(seed uint64, after int) (drawn []string) {
		j := newJob(t, watched(answering.PO(), &drawn), 4)
		j.Seed, j.Folder = seed, t.TempDir()
		if after > 0 {
			if _, err := unlearntest.Cancelled(t, j, after); err == nil {
				t.Fatal("the run was not cancelled")
			}
			drawn = drawn[:2*after] // the step that was cancelled has drawn too
			again := newJob(t, watched(answering.PO(), &drawn), 4)
			again.Seed, again.Folder = seed, j.Folder
			j = again
		}
		if _, err := j.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return drawn
	}
	first := draws(9, 0)
	if len(first) != 24 {
		t.Fatalf("%d draws in twelve steps, want a partner and a refusal in each", len(first))
	}
	for _, kind := range []string{"partner", "refusal"} {
		different := map[string]bool{}
		for _, draw := range first {
			if strings.HasPrefix(draw, kind) {
				different[draw] = true
			}
		}
		if len(different) < 7 {
			t.Errorf("%s: %d different draws in twelve steps", kind, len(different))
		}
	}
	if again := draws(9, 0); !slices.Equal(again, first) {
		t.Error("another run of the seed draws something else")
	}
	if resumed := draws(9, 5); !slices.Equal(resumed, first) {
		t.Error("a run that is resumed draws something else")
	}
	if other := draws(10, 0); slices.Equal(other, first) {
		t.Error("another seed draws the same")
	}
}

func TestProjector_Settings(t *testing.T) {
	unlearntest.Watch(t)
	for _, test := range []struct {
		adapted          bool
		whole, projector float64
		moves            func(path string) bool
	}{
		{true, 0, 1, func(path string) bool {
			return strings.Contains(path, "/lora_") || strings.HasPrefix(path, "multi_modal_projector/")
		}},
		{true, 0, 0, func(path string) bool { return strings.Contains(path, "/lora_") }},
		// The output of the vision tower's last layer is not used, so the layer does not learn.
		{false, 1, 1, func(path string) bool {
			return !strings.Contains(path, "encoder/layers/2/") && !strings.Contains(path, "post_layernorm")
		}},
		{false, 1, 0, func(path string) bool {
			return !strings.Contains(path, "encoder/layers/2/") && !strings.Contains(path, "post_layernorm") &&
				!strings.HasPrefix(path, "multi_modal_projector/")
		}},
	} {
		j := newJob(t, answering.GradientDifference(), 1)
		j.Store = openFixture(t, dtypes.Float32).store(t, test.adapted)
		j.Values["whole"], j.Values["projector"] = test.whole, test.projector
		before := unlearntest.Contents(t, j.Store, unlearn.Policy)
		if _, err := j.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		moved := unlearntest.Differing(before, unlearntest.Contents(t, j.Store, unlearn.Policy))
		for path := range before {
			if slices.Contains(moved, path) != test.moves(path) {
				t.Errorf("whole %g, projector %g: %s moved: %v", test.whole, test.projector, path,
					slices.Contains(moved, path))
			}
		}
	}
}

func TestRun_MovesPolicyAlone(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range answering.Methods() {
		unlearntest.MovesThePolicyAlone(t, newJob(t, m, 1))
	}
}
