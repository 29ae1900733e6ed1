package audit

import (
	"fmt"
	"math/big"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

// proportion checks whether scale·k/n rounds to a printed number for some integer k. It computes with exact fractions.
func proportion(c papers.Cell, n int, scale int64) (computed string, verdict Verdict, reason string) {
	low, high := counts(c, n, scale)
	switch {
	case low > high:
		return fmt.Sprintf("between %d/%d and %d/%d", high, n, low, n), Inconsistent,
			fmt.Sprintf("No whole number of %d rounds to the printed value.", n)
	case low < high:
		return fmt.Sprintf("%d/%d to %d/%d", low, n, high, n), Consistent,
			fmt.Sprintf("Several whole numbers of %d round to the printed value.", n)
	}
	return fmt.Sprintf("%d/%d", low, n), Consistent, fmt.Sprintf("A whole number of %d rounds to the printed value.", n)
}

// counts returns the smallest and the largest integer k for which scale·k/n rounds to the cell's value. If none exists,
// low > high.
func counts(c papers.Cell, n int, scale int64) (low, high int64) {
	lo, hi, err := c.Bounds()
	if err != nil {
		panic("audit: " + err.Error())
	}
	factor := big.NewRat(int64(n), scale)
	least, largest := lo.Mul(lo, factor), hi.Mul(hi, factor)
	// Euclidean division by a positive denominator rounds down.
	floor := func(r *big.Rat) int64 { return new(big.Int).Div(r.Num(), r.Denom()).Int64() }
	return -floor(new(big.Rat).Neg(least)), floor(largest)
}

// smallestDenominator returns the smallest n ≤ most that explains all cells: each must be scale·k/n, rounded, for some
// integer k. It returns 0 if there is no such n.
func smallestDenominator(cells []papers.Cell, scale int64, most int) int {
	for n := 1; n <= most; n++ {
		all := true
		for _, c := range cells {
			if low, high := counts(c, n, scale); low > high {
				all = false
				break
			}
		}
		if all {
			return n
		}
	}
	return 0
}
