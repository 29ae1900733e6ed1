package train

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Moved measures, for each tensor, the distance between two models.
func (l *Lab) Moved(ctx context.Context, spec concealment.MovedSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	before, err := safefile.Open(filepath.Join(in.Of(spec.From).Dir, lab.WeightsFile))
	if err != nil {
		return err
	}
	defer before.Close()
	after, err := safefile.Open(filepath.Join(in.Of(spec.To).Dir, lab.WeightsFile))
	if err != nil {
		return err
	}
	defer after.Close()
	var moves []concealment.Move
	for _, name := range before.Names() {
		if err := ctx.Err(); err != nil {
			return err
		}
		own, _ := before.Tensor(name)
		other, there := after.Tensor(name)
		if !there || own.Elements() != other.Elements() {
			return fmt.Errorf("the models have different shapes: the second has no %s of %d numbers", name,
				own.Elements())
		}
		old, now := make([]float64, own.Elements()), make([]float64, own.Elements())
		if err := before.Float64(name, old); err != nil {
			return err
		}
		if err := after.Float64(name, now); err != nil {
			return err
		}
		m := concealment.Move{Tensor: name, Numbers: int64(len(old))}
		for i, value := range old {
			difference := now[i] - value
			m.Square += float64(value * value)
			m.Move += float64(difference * difference)
		}
		moves = append(moves, m)
	}
	return concealment.WriteMoves(w.Dir(), moves)
}
