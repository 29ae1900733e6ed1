package unslu

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Claims are what the paper says, judged on the results.
func (r *Results) Claims() []certify.Judged {
	panel := &certify.Panel{}
	add := func(prefix string, p part) {
		for _, row := range p.Rows {
			if slices.ContainsFunc(row.Scores, (*Model).lost) {
				continue
			}
			for _, c := range p.Columns {
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
	return Column{Name: "Speedup, passes", defined: true,
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

// claims are those of the paper; has tells which means there are. The headline is what §4 says "in conclusion".
func (r *Results) claims(has func(name string) bool) []certify.Claim {
	claims := certify.InFamily("§4", slices.Concat(memoryClaims(), leadClaims(), speedClaims(), methodClaims(),
		metricClaims(), r.epochClaims(), r.rateClaims(), backboneClaims()))
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

// sets are the data sets, each with two backbones.
var sets = []string{"FSC", "SLURP*", "ITALIC", "de-De", "fr-FR"}

// mean is the mean of a column of a row over benchmarks.
func mean(benchmarks []string, row, column string) certify.Quantity {
	var each []certify.Quantity
	for _, b := range benchmarks {
		each = append(each, value(b, row, column))
	}
	return average(each...)
}

// memoryClaims are about what originals know of the speakers to be forgotten.
func memoryClaims() (claims []certify.Claim) {
	gap := func(benchmarks []string) certify.Quantity {
		return certify.Difference(mean(benchmarks, originalRow, "MIA"), mean(benchmarks, goldRow, "MIA"))
	}
	add := func(name, source string, of []certify.Condition) {
		claims = append(claims, certify.Claim{Name: name, Source: source, Unit: "MIA", Of: of})
	}
	for _, set := range sets {
		add("The originals of "+set+" give their speakers away more than gold", "Tables 1 to 3, MIA",
			certify.MoreThan(0, gap(onSet(set))))
	}
	add("What is easy is remembered less: FSC than SLURP*", "Tables 1 and 2, MIA of Orig. less Gold",
		certify.Above(gap(onSet("SLURP*")), gap(onSet("FSC"))))
	return claims
}

// apart is how far a method's attack is from gold's, on the mean of all benchmarks.
func apart(row string) certify.Quantity {
	var distances []certify.Quantity
	for _, b := range all {
		distances = append(distances, distance(value(b, row, "MIA"), value(b, goldRow, "MIA")))
	}
	return average(distances...)
}

// leads are the benchmarks on which the paper says how far Negative Gradient is ahead.
var leads = []struct {
	benchmark string
	factor    float64
}{{english[0], 1.35}, {english[2], 1.26}, {multilingual[1], 1.39}, {multilingual[3], 1.39}, {multilingual[5], 1.48}}

// leadClaims are about Negative Gradient's lead.
func leadClaims() []certify.Claim {
	ahead := func(b string, factor float64) []certify.Condition {
		return each(rivals, func(rival string) []certify.Condition {
			return certify.Above(value(b, "NG", "GUM"), times(factor, value(b, rival, "GUM")))
		})
	}
	var far [][]certify.Condition
	for _, lead := range leads {
		far = append(far, ahead(lead.benchmark, lead.factor))
	}
	const source = "§4: NG consistently achieves the highest GUM scores"
	return []certify.Claim{
		{Name: "NG has the highest GUM on each of the ten", Family: certify.Headline, Source: source, Unit: "GUM",
			Of: each(all, func(b string) []certify.Condition { return ahead(b, 1) })},
		{Name: "NG has the highest GUM on the mean of the ten", Family: certify.Headline, Source: source, Unit: "GUM",
			Of: each(rivals, func(rival string) []certify.Condition {
				return certify.Above(mean(all, "NG", "GUM"), mean(all, rival, "GUM"))
			})},
		{Name: "NG is nearer to gold under the attack than any other on the mean of the ten",
			Source: "§4: MIA close to gold models, often ranking first or second", Unit: "MIA",
			Of: each(rivals, func(rival string) []certify.Condition {
				return certify.Above(apart(rival), apart("NG"))
			})},
		{Name: "NG's GUM is 26 to 48 % above the second-best on each of five", Source: "§4: 35 %, 26 %, 39 % and 48 %",
			Unit: "GUM", Of: certify.All(far...)},
	}
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
			certify.Claim{Name: "By " + clock.by + " FT, SCRUB and UNSIR are six times as fast as gold everywhere",
				Source: "§4: 7.96 to 83.78, 6.21 to 65.40, 6.55 to 64.07", Unit: "speed-up",
				Of: each(all, func(b string) []certify.Condition {
					return each([]string{"FT", "SCRUB", "UNSIR"}, func(row string) []certify.Condition {
						return certify.MoreThan(6, speed(b, row))
					})
				})},
		)
	}
	return claims
}
