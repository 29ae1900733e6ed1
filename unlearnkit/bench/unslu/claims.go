package unslu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Claims are what the paper says, judged on the results.
func (r *Results) Claims() []certify.Judged {
	panel := &certify.Panel{}
	add := func(prefix string, p part) {
		for _, row := range p.rows {
			if slices.ContainsFunc(row.Scores, (*Model).lost) {
				continue
			}
			for _, c := range p.columns {
				outcomes, _ := table.Outcomes(row, c)
				panel.Add(of(prefix+row.Name, c.Name), table.Repeated(c, outcomes))
			}
		}
	}
	for i, b := range r.Preset.Benchmarks {
		add("", r.part(i, b.Name()+"/", append(Columns(), speedupByPasses(), noMUS()), r.allRows(i)...))
	}
	for _, p := range r.epochsParts() {
		add("epochs/", p)
	}
	if p, swept := r.ratesPart(); swept {
		add("rates/", p)
	}
	return certify.JudgeClaims("unslu", r.Preset.Name, len(r.Worlds), panel, r.claims(panel.Has))
}

// speedupByPasses is the speed-up by the clock that is the same on every machine.
func speedupByPasses() Column {
	return Column{Name: "Speedup, passes",
		Of: func(b *BenchmarkScores, m *Model) float64 { return b.speedup(m, Passes) }}
}

// of names a column of a row in the panel, and value is it as a quantity.
func of(row, column string) string { return row + ": " + column }

func value(benchmark, row, column string) certify.Quantity {
	return certify.Mean(of(benchmark+"/"+row, column))
}

// times is a multiple of a quantity.
func times(factor float64, q certify.Quantity) certify.Quantity {
	return func(m certify.Means) float64 { return factor * q(m) }
}

// average is the mean of quantities.
func average(all ...certify.Quantity) certify.Quantity {
	return func(m certify.Means) float64 {
		sum := 0.0
		for _, q := range all {
			sum += q(m) / float64(len(all))
		}
		return sum
	}
}

// distance is how far two quantities are apart.
func distance(a, b certify.Quantity) certify.Quantity {
	return func(m certify.Means) float64 { return max(a(m)-b(m), b(m)-a(m)) }
}

// Benchmarks of the paper, by what it says of them.
var (
	english      = []string{"FSC/wav2vec 2.0", "FSC/HuBERT", "SLURP*/wav2vec 2.0", "SLURP*/HuBERT"}
	multilingual = []string{"ITALIC/XLS-R 128", "ITALIC/XLS-R 53-IT", "de-De/XLS-R 128", "de-De/XLS-R 53-DE",
		"fr-FR/XLS-R 128", "fr-FR/XLS-R 53-FR"}
	massive = multilingual[2:]
	all     = slices.Concat(english, multilingual)
)

// rivals are the methods beside which the paper sets Negative Gradient.
var rivals = []string{"FT", "NG+", "CF-k", "UNSIR", "BT", "BT-L", "SCRUB"}

// claims are those of the paper; has tells which means there are.
func (r *Results) claims(has func(name string) bool) []certify.Claim {
	claims := slices.Concat(memoryClaims(), leadClaims(), speedClaims(), methodClaims(), metricClaims(),
		r.epochClaims(), r.rateClaims(), backboneClaims())
	certify.Testable(claims, has)
	return claims
}

// each are conditions for every one of some names.
func each(names []string, of func(name string) []certify.Condition) []certify.Condition {
	var parts [][]certify.Condition
	for _, name := range names {
		parts = append(parts, of(name))
	}
	return certify.All(parts...)
}

// memoryClaims are about what originals know of the speakers to be forgotten.
func memoryClaims() (claims []certify.Claim) {
	for _, b := range all {
		claims = append(claims, certify.Claim{
			Name: "The original of " + b + " gives its speakers away more than gold", Source: "Tables 1 to 3, MIA",
			Unit: "MIA", Of: certify.Above(value(b, originalRow, "MIA"), value(b, goldRow, "MIA")),
		})
	}
	gap := func(b string) certify.Quantity {
		return certify.Difference(value(b, originalRow, "MIA"), value(b, goldRow, "MIA"))
	}
	return append(claims, certify.Claim{
		Name: "What is easy is remembered less: FSC than SLURP*", Source: "Tables 1 and 2, MIA of Orig. less Gold",
		Unit: "MIA", Of: certify.Above(average(gap(english[2]), gap(english[3])), average(gap(english[0]),
			gap(english[1]))),
	})
}

// leadClaims are about Negative Gradient's lead.
func leadClaims() (claims []certify.Claim) {
	for _, b := range all {
		claims = append(claims, certify.Claim{
			Name: "NG has the highest GUM on " + b, Source: "§4: NG consistently achieves the highest GUM scores",
			Unit: "GUM", Of: each(rivals, func(rival string) []certify.Condition {
				return certify.Above(value(b, "NG", "GUM"), value(b, rival, "GUM"))
			}),
		})
	}
	for _, lead := range []struct {
		benchmark string
		factor    float64
	}{{english[0], 1.35}, {english[2], 1.26}, {multilingual[1], 1.39}, {multilingual[3], 1.39},
		{multilingual[5], 1.48}} {
		claims = append(claims, certify.Claim{
			Name:   fmt.Sprintf("NG's GUM on %s is %.0f %% above the second-best", lead.benchmark, 100*(lead.factor-1)),
			Source: "§4", Unit: "GUM",
			Of: each(rivals, func(rival string) []certify.Condition {
				return certify.Above(value(lead.benchmark, "NG", "GUM"), times(lead.factor, value(lead.benchmark, rival,
					"GUM")))
			}),
		})
	}
	return claims
}

// speedClaims are about time, by both clocks.
func speedClaims() (claims []certify.Claim) {
	for _, clock := range []struct{ column, by string }{{"Speedup", "the clock"}, {"Speedup, passes", "passes"}} {
		speed := func(b, row string) certify.Quantity { return value(b, row, clock.column) }
		claims = append(claims,
			certify.Claim{Name: "By " + clock.by + " NG is ten times as fast as NG+ everywhere",
				Source: "§4: its speedup is one order of magnitude lower", Unit: "speed-up",
				Of: each(all, func(b string) []certify.Condition {
					return certify.Above(speed(b, "NG"), times(10, speed(b, "NG+")))
				})},
			certify.Claim{Name: "By " + clock.by + " CF-k is the second-most efficient everywhere", Source: "§4",
				Unit: "speed-up",
				Of: each(all, func(b string) []certify.Condition {
					return certify.All(certify.Above(speed(b, "NG"), speed(b, "CF-k")),
						each([]string{"FT", "NG+", "UNSIR", "BT", "BT-L", "SCRUB"},
							func(row string) []certify.Condition {
								return certify.Above(speed(b, "CF-k"), speed(b, row))
							}))
				})},
		)
	}
	return claims
}
