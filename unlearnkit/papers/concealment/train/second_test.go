package train

import (
	"math"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Pictures are stored on sheets with a palette of 64 colours, so the judge may label a few of them differently than
// before. The test requires 80 % agreement.
func TestJudge_KeptPictures(t *testing.T) {
	s, spec, l := onScene(t), tinyAttack(), newLab(t)
	attacked, err := s.attack(t, l, spec, s.other)
	if err != nil {
		t.Fatal(err)
	}
	key := study.Input(attacked.Key)
	look := concealment.SecondSpec{Judge: study.Input(s.judge.Key), Attacks: []study.Input{key, key}}
	made := must(t, concealment.Second.Kind(), look, func(w *store.Work) error {
		return l.Second(t.Context(), look, study.NewInputs(s.judge, attacked), w, nil)
	})
	frame, err := made.ReadTable(concealment.SecondFile)
	if err != nil {
		t.Fatal(err)
	}
	numbers := func(column string) []float64 {
		values, err := frame.Numbers(column)
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
	before, tiles, err := concealment.StoredPictures([]*store.Artifact{attacked, attacked})
	if err != nil || len(before) != len(tiles) || len(before) == 0 {
		t.Fatalf("%d views of %d pictures: %v", len(before), len(tiles), err)
	}
	objects, attacks, others := numbers("object"), numbers("attack"), numbers("other")
	if len(objects) != len(before) {
		t.Fatalf("%d pictures are seen of %d", len(objects), len(before))
	}
	same := 0
	for i, view := range before {
		if int(objects[i]) == int(view.Labels.Object) {
			same++
		}
		quarter := 4 * i / len(before)
		if int(attacks[i]) != quarter/2 || int(others[i]) != quarter%2 {
			t.Errorf("picture %d is of attack %v, other %v", i, attacks[i], others[i])
		}
	}
	if same < len(before)*8/10 {
		t.Errorf("the judge sees the same object in %d of %d", same, len(before))
	}
}

// Noise differs in strength, and noisy pictures stay between black and white.
func TestNoise_Strength(t *testing.T) {
	const each = 3000
	pictures := make([]float32, 40*each)
	noise(pictures, each, 0, seed.Stream(1, "noise"))
	if slices.Max(pictures) != 0 || slices.Min(pictures) != 0 {
		t.Fatal("no noise is some")
	}
	noise(pictures, each, .5, seed.Stream(1, "noise"))
	var strengths []float64
	for begin := 0; begin < len(pictures); begin += each {
		sum := 0.
		for _, value := range pictures[begin : begin+each] {
			if value < -1 || value > 1 {
				t.Fatalf("got %v, want at least -1, at most 1", value)
			}
			sum += float64(value) * float64(value)
		}
		strengths = append(strengths, math.Sqrt(sum/each))
	}
	if slices.Min(strengths) > .1 || slices.Max(strengths) < .4 || slices.Max(strengths) > .52 {
		t.Errorf("deviations from %.2f to %.2f, want some from 0 to .5", slices.Min(strengths), slices.Max(strengths))
	}
}
