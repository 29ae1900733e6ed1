package compute

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

func tinyAttack() concealment.AttackSpec {
	return concealment.AttackSpec{
		Prompt: "cat swirl", Psi: []string{"0", ".15", ".25", ".55", "1"}, Sampling: tinySampling, Pictures: 4, Set: 10,
		Fit: concealment.Fit{Epochs: 2, Batch: 8, Rate: 1e-3, Momentum: .9, Margin: 1, Held: .2, Subsets: 10}, Sheet: true,
	}
}

func TestAnAttackGivesTheSameBytesTwice(t *testing.T) {
	s, spec := onScene(t), tinyAttack()
	attack := func(l *Lab) *store.Artifact {
		return must(t, concealment.Attack, spec, func(w *store.Work) error {
			return l.Attack(t.Context(), spec, s.original, s.other, s.judge, w, heard(t))
		})
	}
	l := newLab(t)
	first := attack(l)
	for _, again := range []*store.Artifact{attack(l), attack(newLab(t))} { // with graphs that are there already, and anew
		if err := store.Same(first, again); err != nil {
			t.Error(err)
		}
	}
}
