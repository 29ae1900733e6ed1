package papers

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var number = regexp.MustCompile(`^-?(\d+\.?\d*|\.\d+)(e-?\d+)?$`)

// Numeric reports whether the cell's value is a number.
func (c Cell) Numeric() bool { return number.MatchString(c.Value) }

// Float returns the printed number.
func (c Cell) Float() (float64, error) {
	if !c.Numeric() {
		return 0, c.notNumeric()
	}
	return strconv.ParseFloat(c.Value, 64)
}

// Bounds returns the exact ends of the interval of numbers that print as the cell's value, half a unit in its last
// printed digit to either side. Both ends are included, because it is not known whether a half rounds up, down or to
// even.
//
// Special cases are:
//
//	".508"   →  [.5075, .5085]
//	"1.00"   →  [.995, 1.005]
//	"206.9"  →  [206.85, 206.95]
//	"5e-07"  →  [4.5e-07, 5.5e-07]
//	"1748"   →  [1747.5, 1748.5]
func (c Cell) Bounds() (lo, hi *big.Rat, err error) {
	if !c.Numeric() {
		return nil, nil, c.notNumeric()
	}
	middle, ok := new(big.Rat).SetString(c.Value)
	if !ok {
		return nil, nil, c.notNumeric()
	}
	mantissa, exponent, _ := strings.Cut(c.Value, "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	power := -len(fraction)
	if exponent != "" {
		e, err := strconv.Atoi(exponent)
		if err != nil {
			return nil, nil, c.notNumeric()
		}
		power += e
	}
	half, _ := new(big.Rat).SetString(fmt.Sprintf("5e%d", power-1))
	return new(big.Rat).Sub(middle, half), new(big.Rat).Add(middle, half), nil
}

// Interval returns [Cell.Bounds] as the nearest floats.
func (c Cell) Interval() (lo, hi float64, err error) {
	l, h, err := c.Bounds()
	if err != nil {
		return 0, 0, err
	}
	lo, _ = l.Float64()
	hi, _ = h.Float64()
	return lo, hi, nil
}

func (c Cell) notNumeric() error {
	return fmt.Errorf("papers: %s %s, %s, %s: %q is not a number", c.Paper, c.Item, c.Row, c.Column, c.Value)
}
