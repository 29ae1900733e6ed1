package kernelext

import (
	"fmt"
	"math"
)

// Expect prints a number and ends the cell with an error when it is not within the tolerance of what it is expected to
// be. It holds the numbers in a notebook's prose to what its code computes: when the code changes, the cell fails until
// the prose follows.
func Expect(what string, got, want, tolerance float64) {
	if !(math.Abs(got-want) <= tolerance) {
		fail(fmt.Errorf("%s: %s, but the text says %s ± %s", what, number(got), number(want), number(tolerance)))
		return
	}
	Printf("%s: %s", what, number(got))
}
