package unlearn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Random lists columns that are drawn for each step. Their numbers depend only on the seed and the step, so a resumed
// run draws the same ones. Losses read them like a stream's columns.
type Random struct {
	Name    string
	Columns []string
	// Draw returns the columns of a step with the given number of rows.
	Draw func(random *rand.Rand, rows int) ([]*tensors.Tensor, error)
}

// draw returns the columns of a step.
func (r Random) draw(root uint64, step, rows int) ([]*tensors.Tensor, error) {
	columns, err := r.Draw(seed.Stream(root, "random", r.Name, "step", step), rows)
	if err == nil && len(columns) != len(r.Columns) {
		err = fmt.Errorf("%d columns are drawn, not %s", len(columns), strings.Join(r.Columns, ", "))
	}
	return columns, err
}

// checkRandom returns an error if a phase's random columns cannot be drawn.
func (p Phase[V]) checkRandom() error {
	names := slices.Clone(p.Streams)
	for _, random := range p.Random {
		switch {
		case random.Draw == nil || len(random.Columns) == 0 || random.Name == "":
			return fmt.Errorf("phase %q: random %q needs a Name, Columns and Draw", p.Name, random.Name)
		case slices.Contains(names, random.Name):
			return fmt.Errorf("phase %q: random %q has the name of another source of columns", p.Name, random.Name)
		}
		names = append(names, random.Name)
	}
	return nil
}
