package audit

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

var concealmentTables = []string{"table1", "table2", "table3"}

// Concealment checks the printed numbers of “Unlearning or Concealment?”.
var Concealment = Audit{"concealment", auditConcealment}

// auditConcealment runs all checks of “Unlearning or Concealment?”.
func auditConcealment(l *ledger) {
	l.auditRetrievalScores()
	l.auditConfidenceScores()
	l.auditTransport()
	l.auditPropositionFive()
	l.auditRatios()
	l.auditCaptions()
	l.auditFigureMap()
	l.auditConcealmentText()
}

// class returns the cells in the given columns whose prompt has the concept class class, "Forget" or "Retain".
func (l *ledger) class(item, class string, columns ...string) []papers.Cell {
	return l.where(item, func(c papers.Cell) bool {
		for _, column := range columns {
			if c.Column == column && l.at(item, c.Row, "Concept Class").Value == class {
				return true
			}
		}
		return false
	})
}

// auditRetrievalScores solves equations (7) and (8) for the cosine that each printed CRS (concept retrieval score)
// implies.
func (l *ledger) auditRetrievalScores() {
	for _, item := range concealmentTables {
		for _, side := range []struct {
			class, equation string
			variant         metric.CRSVariant
			reason          string
			cosine          func(v []float64) float64
		}{
			{"Retain", "(7)", metric.CRSPrintedRetainVariant,
				"Equation (7) gives .5 to a perfect match: so high a value needs images whose features are almost " +
					"orthogonal to the original model's.",
				func(v []float64) float64 { return math.Tan((1 - v[0]) * math.Pi / 2) }},
			{"Forget", "(8)", metric.CRSPrintedForgetVariant,
				"Equation (8) gives .5 to a perfect match: so low a value needs images whose features are almost " +
					"orthogonal to the unlearned model's.",
				func(v []float64) float64 { return math.Tan(v[0] * math.Pi / 2) }},
		} {
			// The features are outputs of a rectifier, so that no cosine is negative.
			lo, hi := metric.CRSRangeRectified(side.variant)
			reachable := interval{lo, hi}
			for _, c := range l.class(item, side.class, "CRS") {
				verdict := Consistent
				if !span(c).meets(reachable) {
					verdict = Inconsistent
				}
				f := l.add(c, "cosine behind equation "+side.equation,
					fmt.Sprintf("cosine %.3f", side.cosine([]float64{value(c)})), verdict, side.reason)
				f.Range = corners(side.cosine, span(c)).intersect(interval{-1, 1}).text(3)
			}
		}
		l.auditMirror(item)
	}
}

// auditMirror compares the CRS of forgotten concepts with 1 − CRS of retained concepts. The paper's released code
// computes both as the same statistic.
func (l *ledger) auditMirror(item string) {
	forgetLow, _ := lowest(l.class(item, "Forget", "CRS"))
	forgetHigh, _ := highest(l.class(item, "Forget", "CRS"))
	retainLow, _ := lowest(l.class(item, "Retain", "CRS"))
	retainHigh, _ := highest(l.class(item, "Retain", "CRS"))
	l.claim(item, "all prompts", "CRS", "", "CRS of forgotten concepts against 1 - CRS of retained ones",
		fmt.Sprintf("%.2f to %.2f against %.2f to %.2f", forgetLow, forgetHigh, 1-retainHigh, 1-retainLow), Consistent,
		"The two have the same size, as they do in the released code, where one is the mirror of the other: the "+
			"score does not tell the classes apart.")
}

// auditConfidenceScores checks the CCS (concept confidence score) as a mean of P(original) over eight images, one per
// ratio, as §4 defines it.
func (l *ledger) auditConfidenceScores() {
	for _, item := range concealmentTables {
		for _, class := range []string{"Forget", "Retain"} {
			cells := l.class(item, class, "CCS")
			sum, enclosure := 0., point(0)
			for _, c := range cells {
				sum += value(c)
				enclosure = enclosure.add(span(c))
			}
			n := float64(len(cells))
			l.claim(item, "mean of the "+class+" prompts", "CCS", "", "mean CCS of a class",
				fmt.Sprintf("%.3f in %s over %d prompts", sum/n, interval{enclosure.lo / n, enclosure.hi / n}.text(3),
					len(cells)), Consistent,
				"Mean P(original) of forgotten concepts exceeds that of retained ones in every table: the score does "+
					"not separate success from failure.")
		}
		const ratios = 8
		for _, c := range l.class(item, "Forget", "CCS") {
			if least := ratios*span(c).lo - (ratios - 1); least > .5 {
				l.add(c, "P(original) of the unlearned model's own image", fmt.Sprintf("at least %.2f", least),
					Inconsistent,
					"If CCS is mean P(original), as §4 reads it, even the image at psi = .001, which the unlearned "+
						"model makes alone, counts as the original's.")
			}
		}
	}
	l.claim("text", "ESD-u on Nudity", "direction of CCS_forget", "high is residual (§4)", "direction of a score",
		"high is forgotten (§3, equation (6))", Inconsistent,
		"Equation (6) and Proposition 5 make a high CCS_forget a success, while §4 reads .80 and .99 as persistent "+
			"traces.")
	l.claim("text", "Proposition 5", "direction of CCS_retain", "tends to 1", "direction of a score",
		"low is good (§3)", Inconsistent,
		"§3 asks for a low CCS_retain, Proposition 5 for one near 1.")
	l.claim("text", "Proposition 5", "direction of CRS_forget", "tends to 0", "direction of a score",
		"high is good (§3)", Inconsistent,
		"§3 asks for a high CRS_forget, Proposition 5 and §4 for one near 0.")
}

// auditTransport checks the appendix's example of an earth mover's distance. Its numbers are exact, so they have no
// rounding interval.
func (l *ledger) auditTransport() {
	const row = "EMD example"
	exact := func(column string) float64 { return value(l.at("text", row, column)) }
	before := []float64{exact("before, c_1"), exact("before, c_2"), exact("before, c_f")}
	after := []float64{exact("after, c_1"), exact("after, c_2"), exact("after, c_f")}
	toSecond, toFirst := exact("mass moved from 3 to 2"), exact("mass moved from 3 to 1")
	l.compare(l.at("text", row, "cost of 3 to 2"), "mass times distance", toSecond, point(toSecond),
		same("The arithmetic of the step is right."))
	l.compare(l.at("text", row, "cost of 3 to 1"), "mass times distance", 2*toFirst, point(2*toFirst),
		same("The arithmetic of the step is right."))

	distance, err := metric.EMD1D(before, after)
	if err != nil {
		panic("audit: " + err.Error())
	}
	l.compare(l.at("text", row, "EMD"), "earth mover's distance on the line", distance, outward(point(distance)),
		same("On a line the distance is the sum of the differences of the two distribution functions."))
	printed := l.at("text", row, "cost of 3 to 2")
	sum := value(printed) + exact("cost of 3 to 1")
	l.compare(l.at("text", row, "EMD"), "sum of the plan's costs", sum, outward(point(sum)),
		same("The sum is right, of a plan that does not reach the target."))
	for _, move := range []struct {
		column string
		moved  float64
		target int
	}{{"mass moved from 3 to 2", toSecond, 1}, {"mass moved from 3 to 1", toFirst, 0}} {
		needed := after[move.target] - before[move.target]
		l.add(l.at("text", row, move.column), "mass that the target needs", fmt.Sprintf("%.1f", needed),
			verdictOf(math.Abs(needed-move.moved) < 1e-12),
			"The plan is not a transport between the two distributions: it ends at [0.5, 0.2, 0.3] instead of [0.3, "+
				"0.4, 0.3].")
	}
}

// auditPropositionFive evaluates the limits of equations (7) and (8) that Proposition 5 states.
func (l *ledger) auditPropositionFive() {
	retain := l.at("text", "Proposition 5", "limit of CRS_retain")
	l.add(retain, "equation (7) at cosine 1", fmt.Sprintf("%g", metric.CRSPrintedRetain([]float64{1})), Inconsistent,
		"The proof ends with 1 - (2/pi)(pi/4) = 1; it is .5, so that no retained concept can reach the promised 1.")
	forget := l.at("text", "Proposition 5", "limit of CRS_forget")
	l.add(forget, "equation (8) at cosine 0", fmt.Sprintf("%g", metric.CRSPrintedForget([]float64{0})), Reproduced,
		"The limit follows if the features become orthogonal.")
	l.add(forget, "equation (8) at cosine 1", fmt.Sprintf("%g", metric.CRSPrintedForget([]float64{1})), Inconsistent,
		"Better unlearning makes the images more like the unlearned model's, not less, and equation (8) then tends "+
			"to .5.")
}

// steps returns floor(100·psi), the number of steps out of 100 that the original model performs. It computes with exact
// decimals.
func (l *ledger) steps(psi papers.Cell) int64 {
	v, ok := new(big.Rat).SetString(psi.Value)
	if !ok {
		panic("audit: psi " + psi.Value)
	}
	v.Mul(v, new(big.Rat).SetFloat64(value(l.at("text", "sampling", "inference steps"))))
	return new(big.Int).Div(v.Num(), v.Denom()).Int64()
}

// auditRatios converts the evaluated partial diffusion ratios to numbers of steps.
func (l *ledger) auditRatios() {
	for _, psi := range l.where("text", func(c papers.Cell) bool {
		return c.Row == "evaluated partial diffusion ratio"
	}) {
		steps, verdict := l.steps(psi), Consistent
		reason := "The original model takes a whole number of steps."
		if steps == 0 {
			verdict, reason = Inconsistent,
				"Algorithm 1 gives floor(100 psi) steps to the original model: none, so that this is no partial "+
					"diffusion at all."
		}
		l.add(psi, "steps of the original model", fmt.Sprintf("%d of 100", steps), verdict, reason)
	}
	ratios := len(l.where("text", func(c papers.Cell) bool { return c.Row == "evaluated partial diffusion ratio" }))
	l.add(l.at("text", "sampling", "images an evaluation set"), "images of the partially diffused set",
		fmt.Sprintf("%d", ratios), Inconsistent,
		"The set has a fixed seed and one image for each ratio, so that CCS and CRS are means of eight numbers, not "+
			"of 200.")
}

// auditConcealmentText compares numbers in §4 with the tables.
func (l *ledger) auditConcealmentText() {
	for _, r := range [][4]string{
		{"ESD-u on Nudity", "CRS", "table1", "Nudity"},
		{"ESD-u on Nudity", "CCS", "table1", "Nudity"},
		{"ESD-u on Nudity", "KID-O", "table1", "Nudity"},
		{"ESD-u on Nudity", "KID-U", "table1", "Nudity"},
		{"Ablating Concepts on Greg Rutkowski", "CRS", "table2", "Dragon in style of Greg Rutkowski"},
		{"Ablating Concepts on R2D2", "CCS", "table2", "R2D2"},
		{"Ablating Concepts on R2D2", "KID-O", "table2", "R2D2"},
		{"Ablating Concepts on R2D2", "KID-U", "table2", "R2D2"},
	} {
		l.repeat(l.at("text", r[0], r[1]), l.at(r[2], r[3], r[1]), reasons{
			reproduced:   "The text quotes the table.",
			consistent:   "The text quotes the table.",
			inconsistent: "The text quotes the table with another digit.",
		})
	}
	why := same("The extreme of the cells that the sentence describes.")
	l.extremes("SDD CRS of forgotten concepts", l.class("table3", "Forget", "CRS"), why)
	l.extremes("SDD CRS of retained concepts", l.class("table3", "Retain", "CRS"), why)
	l.extremes("SDD KID", append(l.class("table3", "Forget", "KID-O", "KID-U"),
		l.class("table3", "Retain", "KID-O", "KID-U")...), why)
	l.repeat(l.at("text", "gold model regenerates the class", "psi"), l.at("figure4", "A desert-rose", "psi"),
		same("The text repeats the caption."))
}

// words returns the words of a prompt in lower case.
func words(prompt string) []string {
	return strings.Fields(strings.ToLower(strings.ReplaceAll(prompt, ",", " ")))
}
