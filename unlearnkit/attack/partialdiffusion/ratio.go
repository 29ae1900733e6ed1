package partialdiffusion

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// Ratio is ψ, the share of the steps that the original model does: a decimal number from 0 to 1, exactly as written.
// The zero value is 0. As a binary number, .29 of 100 steps would be 28.
type Ratio struct{ text string }

// decimal excludes signs, exponents and fractions, and numbers that take long to compute with.
var decimal = regexp.MustCompile(`^(\d{1,3}|\d{0,3}\.\d{1,18}|\d{1,3}\.)$`)

// ParseRatio parses a ratio such as "0.25" or ".089".
func ParseRatio(text string) (Ratio, error) {
	if !decimal.MatchString(text) {
		return Ratio{}, fmt.Errorf("ψ is %.40q; it must be a decimal number from 0 to 1, such as 0.25", text)
	}
	r := Ratio{text}
	if r.exact().Cmp(big.NewRat(1, 1)) > 0 {
		return Ratio{}, fmt.Errorf("ψ is %s; it must be from 0 to 1", text)
	}
	return r, nil
}

// Ratios parses several ratios. A text may contain several, as "0, .25, 1" does.
func Ratios(texts ...string) ([]Ratio, error) {
	var ratios []Ratio
	for _, text := range strings.Split(strings.Join(texts, ","), ",") {
		r, err := ParseRatio(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		ratios = append(ratios, r)
	}
	return ratios, nil
}

// PaperRatios returns the ψ at which "Unlearning or Concealment?" evaluates.
func PaperRatios() []Ratio {
	ratios, err := Ratios(".001,.01,.05,.15,.25,.35,.45,.55")
	if err != nil {
		panic(err)
	}
	return ratios
}

func (r Ratio) exact() *big.Rat {
	value := new(big.Rat)
	if r.text != "" {
		if _, ok := value.SetString(r.text); !ok {
			panic("partialdiffusion: a ratio of " + r.text)
		}
	}
	return value
}

// String returns the ratio as it was written, and "0" for the zero value.
func (r Ratio) String() string {
	if r.text == "" {
		return "0"
	}
	return r.text
}

// Float returns the nearest float64.
func (r Ratio) Float() float64 {
	value, _ := r.exact().Float64()
	return value
}

// Of returns the largest whole number of steps that is at most this share of steps.
func (r Ratio) Of(steps int) int {
	product := r.exact()
	product.Mul(product, new(big.Rat).SetInt64(int64(steps)))
	return int(new(big.Int).Quo(product.Num(), product.Denom()).Int64())
}
