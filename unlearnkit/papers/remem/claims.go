package remem

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Claims judges the paper's claims on the results.
func (r *Results) Claims() []certify.Judged {
	panel := r.panel()
	claims := r.claims()
	certify.Testable(claims, panel.Has)
	return certify.JudgeClaims("remem", r.Preset.Name, len(r.Worlds), panel, claims)
}

// Counted describes the worlds that were read if some are missing, and returns "" otherwise.
func (r *Results) Counted() string {
	if r.lack == "" {
		return ""
	}
	return r.count()
}

// claims returns the paper's claims, each in the family of its section.
func (r *Results) claims() []certify.Claim {
	claims := slices.Concat(r.shapeClaims(), r.nameClaims(), r.circuitClaims(), r.countClaims(), r.shareClaims(),
		r.taughtClaims(), r.extremeClaims(), r.middleClaims(), r.tradeClaims(), r.hopClaims(), r.scaleClaims(),
		r.maskingClaims(), r.choiceClaims(), r.ratioClaims())
	for i, c := range claims {
		claims[i].Family = familyOf(c.Source)
	}
	return claims
}

// Sections of the paper whose claims are headline claims.
const (
	abstract   = "Abstract"
	conclusion = "§8"
)

// familyOf returns the family of a claim by its source in the paper: the headline, or the section.
func familyOf(source string) string {
	section, _, _ := strings.Cut(source, ",")
	if section == abstract || section == conclusion {
		return certify.Headline
	}
	return section
}

// after names a row in the panel, for a number of people to forget.
func after(row string, people int) string { return fmt.Sprintf("%s of %d", row, people) }

// rows names methods in the panel, at the largest number of people.
func (r *Results) rows(size string, methods ...string) (rows []string) {
	for _, method := range methods {
		rows = append(rows, after(size+"/"+method, r.Preset.Forget[r.Preset.last()]))
	}
	return rows
}

// at returns a score of a method at the largest number of people.
func (r *Results) at(size, method, column string) certify.Quantity {
	return certify.Score(r.rows(size, method)[0], column)
}

// trend returns the slope of the least-squares line of quantities against numbers, such as questions or people.
func trend(numbers []int, of func(number int) certify.Quantity) certify.Quantity {
	xs := make([]float64, len(numbers))
	for i, n := range numbers {
		xs[i] = float64(n)
	}
	return func(m certify.Means) float64 {
		ys := make([]float64, len(numbers))
		for i, n := range numbers {
			ys[i] = of(n)(m)
		}
		_, slope := stat.LinearRegression(xs, ys, nil, false)
		return slope
	}
}

// correlation returns Pearson's correlation of two lists of quantities.
func correlation(a, b []certify.Quantity) certify.Quantity {
	return func(m certify.Means) float64 {
		var xs, ys []float64
		for i := range a {
			xs, ys = append(xs, a[i](m)), append(ys, b[i](m))
		}
		return stat.Correlation(xs, ys, nil)
	}
}

// negative returns a quantity with the opposite sign.
func negative(q certify.Quantity) certify.Quantity {
	return func(m certify.Means) float64 { return -q(m) }
}
