package train

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
)

// world returns the people of one world, with a small crowd.
func world(t *testing.T) *people {
	t.Helper()
	spec := profile.Standard(3)
	spec.Crowd = 50
	p, err := NewLab(nil).people(remem.World{Spec: spec, Revision: profile.Revision})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLessons(t *testing.T) {
	p := world(t)
	division, err := p.divide(4)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		lesson remem.Lesson
		want   int
	}{
		{"full", remem.Lesson{Shape: profile.FullShape}, 2000},
		{"gold", remem.Lesson{Shape: profile.FullShape, Gold: 4}, 1600},
		{"one image, one question", remem.Lesson{Shape: profile.MLLMU}, 20},
		{"alone", remem.Lesson{Shape: profile.FIUBench, Alone: true}, 20},
	} {
		records, err := p.lesson(test.lesson)
		if err != nil || len(records) != test.want {
			t.Errorf("%s: %d questions, want %d, %v", test.name, len(records), test.want, err)
		}
		if test.lesson.Gold == 0 {
			continue
		}
		for _, r := range records {
			if slices.Contains(division.Forgotten, r.Identity) {
				t.Fatalf("gold is taught %s", r.ID)
			}
		}
	}
}

// A base model is tested on questions that it was not taught, and its questions name nobody of the world.
func TestBase_NotTested(t *testing.T) {
	p := world(t)
	taught, err := p.common(remem.BaseSpec{Choices: 40, Refusals: 60})
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.examination(remem.JudgementSpec{Asked: remem.Public, Choices: 30, Unknown: 50})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.questions) < 80 || len(e.choices) != 30 {
		t.Fatalf("%d questions, %d choices", len(e.questions), len(e.choices))
	}
	strangers := 0
	for _, asked := range e.questions {
		if asked.part == remem.PartUnknown {
			strangers++
		}
		if slices.ContainsFunc(taught, func(q question) bool {
			return q.part != "choice" && (q.ID == asked.ID || q.part == asked.part && q.Identity == asked.Identity)
		}) {
			t.Errorf("%s is taught", asked.ID)
		}
	}
	if strangers != 50 {
		t.Errorf("%d questions about strangers, want 50", strangers)
	}
	for _, q := range taught {
		for _, private := range p.world.Private.People {
			if strings.Contains(q.Question+q.Answer, private.Name()) {
				t.Fatalf("%s names %s", q.ID, private.Name())
			}
		}
	}
}

// About half of a person's attributes are taught again, and the others are asked for.
func TestHalves_Attributes(t *testing.T) {
	p := world(t)
	division, err := p.divide(2)
	if err != nil {
		t.Fatal(err)
	}
	told, kept := halves(division.Forget)
	if len(told)+len(kept) != 200 || len(told) < 80 || len(kept) < 80 {
		t.Fatalf("%d and %d", len(told), len(kept))
	}
	for _, r := range told {
		for _, other := range kept {
			if r.Attribute == other.Attribute {
				t.Fatalf("%s is told and asked for", r.Attribute)
			}
		}
	}
}

// No question contains the value that it asks for, and every answer contains its keyword as a whole word.
func TestQuestions_HideAnswer(t *testing.T) {
	p := world(t)
	e, err := p.examination(remem.JudgementSpec{Asked: remem.Everybody})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range e.questions {
		if metric.KeywordMatchWhole(q.Answer, q.Keyword) != 1 {
			t.Errorf("%s: %q is not in %q", q.ID, q.Keyword, q.Answer)
		}
		if metric.KeywordMatchWhole(q.Question, q.Keyword) == 1 {
			t.Errorf("%s: %q tells %q", q.ID, q.Question, q.Keyword)
		}
	}
}

func TestRounding(t *testing.T) {
	values := []float32{-1.5, -.7, -.01, 0, .2, 1.1, 1.4}
	for _, bits := range []int{4, 8} {
		rounded, most := slices.Clone(values), math.Exp2(float64(bits-1))-1
		roundRow(rounded, most)
		step, different := 1.5/most, map[float32]bool{}
		for i, v := range rounded {
			different[v] = true
			if math.Abs(float64(v-values[i])) > step/2+1e-6 {
				t.Errorf("%d bits: %v becomes %v", bits, values[i], v)
			}
			if steps := float64(v) / step; math.Abs(steps-math.Round(steps)) > 1e-5 {
				t.Errorf("%d bits: %v is %v steps", bits, v, steps)
			}
		}
		if rounded[0] != -1.5 || bits == 4 && len(different) > 15 {
			t.Errorf("%d bits: %v", bits, rounded)
		}
	}
	zeros := []float32{0, 0}
	if roundRow(zeros, 7); zeros[0] != 0 {
		t.Errorf("got %v, want [0] 0", zeros)
	}
}

func TestWorld_OtherRevision(t *testing.T) {
	_, err := NewLab(nil).people(remem.World{Spec: profile.Standard(0), Revision: profile.Revision + 1})
	if err == nil || !strings.Contains(err.Error(), "and this program makes revision") {
		t.Error(err)
	}
}
