package train

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// The distance measured from the files equals the distance that the method noted, up to the half precision of stored
// models.
func TestMoved_EqualsNoted(t *testing.T) {
	s, l := onScene(t), newLab(t)
	erased := s.erase(t, l, "esd-x")
	spec := concealment.MovedSpec{From: study.Input(s.original.Key), To: study.Input(erased.Key)}
	moved := must(t, concealment.Moved.Kind(), spec, func(w *store.Work) error {
		return l.Moved(t.Context(), spec, study.NewInputs(s.original, erased), w, nil)
	})
	rows, err := safefile.ReadParquet(moved.Path(concealment.MovedFile))
	if err != nil {
		t.Fatal(err)
	}
	tensors, squares, moves := rows.Column("tensor").Texts, rows.Column("square").Values, rows.Column("move").Values
	var square, move float64
	for i, name := range tensors {
		square, move = square+squares[i], move+moves[i]
		if (moves[i] > 0) != strings.Contains(name, "attn2") {
			t.Errorf("%s has moved by %v", name, moves[i])
		}
	}
	var noted float64
	if err := json.Unmarshal(erased.Manifest.Notes["distance"], &noted); err != nil {
		t.Fatal(err)
	}
	if got := math.Sqrt(move / square); !(noted > 0) || math.Abs(got-noted) > 1e-3*noted {
		t.Errorf("%v, noted %v", got, noted)
	}
}

// The completing models get the finish prompt, alone and in the attack. The original does not.
func TestAttack_FinishPrompt(t *testing.T) {
	s, l := onScene(t), newLab(t)
	drawn := func(finish *string) (d drawing) {
		spec := tinyAttack()
		spec.Finish = finish
		s.drawn(t, l, spec, func(_ *attackPlan, drawn *drawing, _ *artist) { d = *drawn })
		return d
	}
	same, empty := tinyAttack().Prompt, ""
	own, told, none := drawn(nil), drawn(&same), drawn(&empty)
	last := len(own.completed) - 1
	for i := range own.completed {
		if !slices.Equal(own.completed[i], told.completed[i]) {
			t.Errorf("told the prompt itself, the other model completes otherwise at ratio %d", i)
		}
		if slices.Equal(own.completed[i], none.completed[i]) != (i == last) {
			t.Errorf("told nothing, it completes ratio %d alike: %v", i, i != last)
		}
	}
	if !slices.Equal(own.original, none.original) || slices.Equal(own.unlearned, none.unlearned) {
		t.Error("the original draws what the other model is told, or that does not")
	}
	wrong := "horse"
	spec := tinyAttack()
	spec.Finish = &wrong
	if _, err := newAttackPlan(spec, l.atOnce); err == nil || !strings.Contains(err.Error(), "no word of this world") {
		t.Errorf(`got the error %v, want one with "no word of this world"`, err)
	}
}
