package train

import (
	"context"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// A listener scores clips as the study does, trains its head, and unlearns.
func TestListener(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	p := tiny("SLURP*/wav2vec 2.0")
	s := open(t)
	plan, err := made(t, t.Context(), s, p)
	if err != nil {
		t.Fatal(err)
	}
	d := devicetest.Open(t)
	b := p.Benchmarks[0]
	set, err := speech.Make(b.Corpus.World)
	if err != nil {
		t.Fatal(err)
	}
	runs := plan.Worlds[0].Benchmarks[0]
	original, err := s.Get(runs.OriginalTraining.Key())
	if err != nil {
		t.Fatal(err)
	}
	listener, err := Listen(d, original.Dir, set, b.Corpus.Samples, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	heard, err := listener.Hear(t.Context(), unslu.Test, set.Test)
	if err != nil {
		t.Fatal(err)
	}
	judged, err := s.Get(runs.Original.Key())
	if err != nil {
		t.Fatal(err)
	}
	scores, err := unslu.ReadScores(judged, unslu.ScoresFile)
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for _, score := range scores {
		if score.Split == unslu.Test {
			if score != heard[same] {
				t.Fatalf("%+v, the study has %+v", heard[same], score)
			}
			same++
		}
	}
	if same != len(set.Test) {
		t.Errorf("%d of %d clips of the test", same, len(set.Test))
	}

	backbone, err := s.Get(plan.Backbones[b.Backbone].Key())
	if err != nil {
		t.Fatal(err)
	}
	student, err := Listen(d, backbone.Dir, set, b.Corpus.Samples, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer student.Close()
	some := set.Train[:32]
	loss := func() (sum float64) {
		heard, err := student.Hear(t.Context(), "train", some)
		if err != nil {
			t.Fatal(err)
		}
		for _, score := range heard {
			sum += score.Loss / float64(len(heard))
		}
		return sum
	}
	before := loss()
	if err := student.TrainHead(t.Context(), some, 20, 1e-2, nil); err != nil {
		t.Fatal(err)
	}
	if after := loss(); !(after < .9*before) {
		t.Errorf("20 passes took the loss from %v to %v", before, after)
	}

	before = loss()
	if err := student.Unlearn(t.Context(), classifying.NegativeGradient(), map[string]float64{"rate": 1e-2}, some,
		set.Train[32:64], 1, nil); err != nil {
		t.Fatal(err)
	}
	if after := loss(); !(after > 1.1*before) {
		t.Errorf("unlearning took the loss from %v to %v", before, after)
	}

	italian := speech.Italian(0)
	italian.TrainSpeakers, italian.ValidationSpeakers, italian.TestSpeakers = 6, 2, 2
	italian.Clips, italian.Skew = 40, 0
	other, err := speech.Make(italian)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(d, original.Dir, other, b.Corpus.Samples, 1); err == nil ||
		!strings.Contains(err.Error(), "distinguishes 31 intents, the set has 1") {
		t.Errorf(`got the error %v, want one with "distinguishes 31 intents, the set has 1"`, err)
	}
}

func TestScores_ShippedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s, err := store.Open(t.TempDir(), store.Above(unslu.Study.Shelves()...))
	if err != nil {
		t.Fatal(err)
	}
	run := unslu.NewPlan(unslu.Quick()).Worlds[0].Benchmarks[0].Original
	spec, _ := unslu.Judgement.Spec(run)
	model, err := s.Local(run.Needs[0].Key())
	if err != nil {
		t.Fatal(err)
	}
	l := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil })
	again, err := open(t).Do(t.Context(), store.Stage{Name: "again", Version: 1}, spec, nil,
		func(ctx context.Context, w *store.Work) error {
			return l.Judge(ctx, spec, study.NewInputs(model), w, nil)
		})
	if err != nil {
		t.Fatal(err)
	}
	stored, err := s.Get(run.Key())
	if err != nil {
		t.Fatal(err)
	}
	one, err := unslu.ReadCost(stored)
	other, err2 := unslu.ReadCost(again)
	if err != nil || err2 != nil || one != other {
		t.Errorf("%v, %v: %+v and %+v", err, err2, one, other)
	}
	scores, err := unslu.ReadScores(stored, unslu.ScoresFile)
	made, err2 := unslu.ReadScores(again, unslu.ScoresFile)
	if err != nil || err2 != nil || len(scores) != len(made) {
		t.Fatalf("got %v, %v, want err2 nil, %v scores", err, err2, len(made))
	}
	for i := range scores {
		if d := scores[i].Loss - made[i].Loss; scores[i].ID != made[i].ID || d > 1e-3 || d < -1e-3 {
			t.Fatalf("%+v and %+v", scores[i], made[i])
		}
	}
}
