package concealment

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// MovedFile is the name of the file with the distances between two models, one row per tensor.
const MovedFile = "moved.parquet"

// WriteMoves writes one row per tensor to [MovedFile] in dir.
func WriteMoves(dir string, moves []Move) error {
	return safefile.WriteRows(filepath.Join(dir, MovedFile), moves)
}

// readMoves reads the distances of methods and concepts. It skips a method and concept if some of its models are not
// measured.
func (c controlRuns) readMoves(s *store.Store, r *Results) error {
	for _, pair := range c.Moves {
		moved := pairMoved{Title: pair.Title}
		for _, run := range pair.Runs {
			artifact, err := ifMade(s, run)
			if err != nil {
				return err
			}
			if artifact == nil {
				break
			}
			moves, err := store.ReadRows[Move](artifact, MovedFile)
			if err != nil {
				return fmt.Errorf("%s: %w", run.Title, err)
			}
			moved.Moves = append(moved.Moves, moves)
		}
		if len(moved.Moves) == len(pair.Runs) && len(pair.Runs) > 0 {
			r.moves = append(r.moves, moved)
		}
	}
	return nil
}

// distance returns ‖after - before‖/‖before‖ over the selected tensors, and these tensors' share of all weights.
func distance(moves []Move, of func(Move) bool) (relative, part float64) {
	var square, move, numbers, all float64
	for _, m := range moves {
		all += float64(m.Numbers)
		if of(m) {
			square, move, numbers = square+m.Square, move+m.Move, numbers+float64(m.Numbers)
		}
	}
	return math.Sqrt(move / square), numbers / all
}

// distanceTable tabulates how far each method has moved the weights. Theorems 2 and 4 assume small distances.
func (r *Results) distanceTable() (*report.Table, error) {
	if len(r.moves) == 0 {
		why := "measures no distances; controls does"
		if r.Preset.Controls.Moves {
			why = "has no distances yet: unlearnlab run concealment --preset controls measures them"
		}
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: why}
	}
	t := &report.Table{Title: fmt.Sprintf("How far methods move the weights (%s)", r.Preset.Name), Corner: "Method",
		Columns: []report.Column{{Name: "All weights"}, {Name: "Moved ones"}, {Name: "Moved part"},
			{Name: "Cross-attention"}, {Name: "Other weights"}}}
	attention := func(m Move) bool { return strings.Contains(m.Tensor, "attn2") }
	for _, pair := range r.moves {
		row := report.Row{Name: pair.Title}
		for _, of := range []func(Move) bool{func(Move) bool { return true },
			func(m Move) bool { return m.Move > 0 }, nil, attention, func(m Move) bool { return !attention(m) }} {
			var values []float64
			for _, moves := range pair.Moves {
				relative, part := 0., 0.
				if of == nil {
					_, part = distance(moves, func(m Move) bool { return m.Move > 0 })
					relative = part
				} else {
					relative, _ = distance(moves, of)
				}
				values = append(values, relative)
			}
			row.Cells = append(row.Cells, report.Interval("%.3f", mean(values), slices.Min(values), slices.Max(values)))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Note = "Norm of the weight change divided by the norm of the original's weights: over all tensors, those " +
		"that changed, the cross-attention, and the others; then the share of all weights that changed. Means " +
		"over training seeds, with minimum and maximum. Models are stored in half precision. Theorems 2 and 4 " +
		"assume a model close to the original."
	return t, nil
}
