package membership

import (
	"errors"
	"fmt"
)

// Shadows holds the losses of shadow models on the attacked examples.
type Shadows struct {
	With    [][]float64 // losses of the shadows trained with an example, for each example
	Without [][]float64 // losses of the shadows trained without an example, for each example
}

// ShadowsOf splits a matrix of losses, with a row for each shadow and a column for each example. member has the same
// shape and reports whether the shadow was trained with the example. If member is nil, no shadow was.
func ShadowsOf(losses [][]float64, member [][]bool) (Shadows, error) {
	if len(losses) == 0 {
		return Shadows{}, errors.New("membership: there are no shadow models")
	}
	if member != nil && len(member) != len(losses) {
		return Shadows{}, fmt.Errorf("membership: losses of %d shadows and a mask of %d", len(losses), len(member))
	}
	n := len(losses[0])
	s := Shadows{With: make([][]float64, n), Without: make([][]float64, n)}
	for k, row := range losses {
		if len(row) != n || member != nil && len(member[k]) != n {
			return Shadows{}, fmt.Errorf("membership: shadow %d needs one loss and one truth for each of %d examples",
				k+1, n)
		}
		for i, loss := range row {
			if member != nil && member[k][i] {
				s.With[i] = append(s.With[i], loss)
			} else {
				s.Without[i] = append(s.Without[i], loss)
			}
		}
	}
	return s, nil
}
