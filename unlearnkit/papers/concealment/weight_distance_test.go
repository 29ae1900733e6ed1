package concealment

import (
	"errors"
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Distances are relative to the norm of the weights before.
func TestDistance_Relative(t *testing.T) {
	all, _ := distance(usualMoves(), func(Move) bool { return true })
	moved, part := distance(usualMoves(), func(m Move) bool { return m.Move > 0 })
	if math.Abs(all-math.Sqrt(4./25)) > 1e-15 || moved != .5 || part != .4 {
		t.Errorf("%v of all, %v of the %v that have moved", all, moved, part)
	}
	var lacks *study.Lacks
	if _, err := usual().results(small()).distanceTable(); !errors.As(err, &lacks) {
		t.Errorf("nothing is measured: %v", err)
	}
}
