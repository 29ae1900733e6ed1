package kernelext

import (
	"fmt"
	"math"
)

// Expect prints a number and fails the cell if the number is not within tolerance of want. It checks the numbers in a
// notebook's text: if the code changes, the cell fails until the text is updated.
func Expect(what string, got, want, tolerance float64) {
	if !(math.Abs(got-want) <= tolerance) {
		fail(fmt.Errorf("%s: %s, but the text says %s ± %s", what, number(got), number(want), number(tolerance)))
		return
	}
	Printf("%s: %s", what, number(got))
}
