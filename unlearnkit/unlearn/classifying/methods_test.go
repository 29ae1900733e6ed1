package classifying_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

func TestMethods_Catalogue(t *testing.T) {
	readFrozen := []string{"bad-teaching", "bad-teaching-light", "scrub"}
	entries := catalogue.Classifying.Entries()
	for i, m := range classifying.Methods() {
		if i >= len(entries) || m.Name != entries[i].Name || m.Version != entries[i].Version ||
			m.Reference != slices.Contains(readFrozen, m.Name) || (m.Frozen != nil) != (m.Name == "bad-teaching") {
			t.Errorf("method %d is %s, version %d; it reads the frozen model: %v, and %v", i, m.Name, m.Version,
				m.Reference, m.Frozen)
		}
	}
	if len(classifying.Methods()) != len(entries) {
		t.Errorf("the catalogue has %d methods", len(entries))
	}
}

func TestEveryMethod_Digests(t *testing.T) {
	unlearntest.Watch(t)
	digests := map[string]string{}
	for _, m := range classifying.Methods() {
		digests[m.Name] = unlearntest.Digest(t, newSpeechJob(t, m, budgetsOf(m)...))
	}
	unlearntest.CompareDigests(t, "testdata/digests.json", digests)
}

// The batches of 14 rows are 4 4 4 2, and the batches of 10 rows 4 4 2.
func TestPass_PaperEpoch(t *testing.T) {
	unlearntest.Watch(t)
	rows := map[string][]int{ // numbers of rows in the log, which counts the rows of all streams
		"finetuning": {4, 4, 4, 2}, "negative": {4, 4, 2}, "negative-plus": {8, 8}, "cf-k": {4, 4, 4, 2},
		"unsir": {8, 8, 4, 4, 4, 2}, "bad-teaching": {4, 4, 4, 4, 4, 4}, "bad-teaching-light": {4, 4, 4, 4, 4, 4},
		"scrub": {4, 4, 4, 2, 4, 4, 2},
	}
	for _, m := range classifying.Methods() {
		result, err := newJob(t, m, 1).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, step := range result.Log {
			got = append(got, step.Examples)
		}
		if !slices.Equal(got, rows[m.Name]) {
			t.Errorf("%s: steps of %v rows, want %v", m.Name, got, rows[m.Name])
		}
	}
}

func TestSCRUB_TakesTurns(t *testing.T) {
	streams := newJob(t, classifying.SCRUB(), 1).Task.Streams
	for _, test := range []struct {
		values unlearn.Values
		want   string
	}{
		{nil, "minimising 1 retain, maximising 1 forget"},
		{unlearn.Values{"maximise-first": 1}, "maximising 1 forget, minimising 1 retain"},
		{unlearn.Values{"maximise-first": 1, "epochs": 3, "msteps": 2}, "maximising 1 forget, minimising 1 retain, " +
			"maximising 2 forget, minimising 2 retain, minimising 3 retain"},
		{unlearn.Values{"epochs": 2}, "minimising 1 retain, maximising 1 forget, minimising 2 retain"},
	} {
		phases, err := classifying.SCRUB().Lay(test.values, streams)
		if err != nil {
			t.Fatal(err)
		}
		var turns []string
		for i, phase := range phases {
			turns = append(turns, phase.Name+" "+strings.Join(phase.Streams, " "))
			if phase.Continues != (i > 0) {
				t.Errorf("%v: phase %d goes on with an optimizer: %v", test.values, i, phase.Continues)
			}
		}
		if got := strings.Join(turns, ", "); got != test.want {
			t.Errorf("%v: %s, want %s", test.values, got, test.want)
		}
	}
}

func TestCFk_LastParts(t *testing.T) {
	unlearntest.Watch(t)
	for layers, want := range map[float64][]string{
		1: {"classifier/bias", "classifier/weight"},
		2: {"classifier/bias", "classifier/weight", "projector/bias", "projector/weight"},
	} {
		j := newSpeechJob(t, classifying.CFk(), 2)
		j.Values["layers"] = layers
		before := unlearntest.Contents(t, j.Store, unlearn.Policy)
		if _, err := j.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		moved := unlearntest.Differing(before, unlearntest.Contents(t, j.Store, unlearn.Policy))
		if slices.Sort(moved); !slices.Equal(moved, want) {
			t.Errorf("k = %g: %v moved, want %v", layers, moved, want)
		}
	}
}

// Dropout disturbs only the student, and differs in each step.
func TestDropout_StudentAlone(t *testing.T) {
	unlearntest.Watch(t)
	losses := func(seed uint64, training float64) []float64 {
		j := newJob(t, classifying.SCRUB(), 1)
		// Without descent, every step compares the same student with its teacher. They differ only by the student's
		// noise.
		j.Values["training"], j.Values["rate"], j.Values["decay"], j.Values["gamma"] = training, 1e-30, 0, 0
		j.Seed = seed
		result, err := j.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all []float64
		for _, step := range result.Log {
			all = append(all, step.Loss)
		}
		return all
	}
	disturbed := losses(9, 1)
	for i, loss := range disturbed {
		if loss == 0 || slices.Contains(disturbed[:i], loss) {
			t.Errorf("step %d: the loss is %g, nothing or another's", i, loss)
		}
	}
	if again, other := losses(9, 1), losses(10, 1); !slices.Equal(again, disturbed) || slices.Equal(other, disturbed) {
		t.Errorf("%v, again %v, with another seed %v", disturbed, again, other)
	}
	for i, loss := range losses(9, 0) {
		if loss > 1e-5 || loss < -1e-5 {
			t.Errorf("step %d: the loss of a student that is not disturbed is %g", i, loss)
		}
	}
}

func TestMask_Padding(t *testing.T) {
	unlearntest.Watch(t)
	first := func(sound int) float64 { // loss of the first step with masks of sound samples; 0 for no mask
		j := newSpeechJob(t, classifying.CFk(), 1)
		if sound > 0 {
			table := sounds(unlearn.Retain, 14, samples)
			mask := make([]int32, 14*samples)
			for i := range mask {
				if i%samples < sound {
					mask[i] = 1
				}
			}
			table[classifying.Mask] = tensors.FromFlatDataAndDimensions(mask, 14, samples)
			withTable(t, &j, unlearn.Retain, table)
		}
		result, err := j.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return result.Log[0].Loss
	}
	none, all, half := first(0), first(samples), first(samples/2)
	if diff := none - all; diff > 1e-5 || diff < -1e-5 {
		t.Errorf("the loss is %g without a mask and %g with one that masks nothing", none, all)
	}
	if diff := half - all; diff < 1e-3 && diff > -1e-3 {
		t.Errorf("the loss is %g whether half of the samples are padding or none", half)
	}
}

func TestRun_MovesPolicyAlone(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range classifying.Methods() {
		unlearntest.MovesThePolicyAlone(t, newJob(t, m, 1))
	}
}
