package remem

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// Caveats of claims that need no numbers.
const (
	byRates = "each method has the largest rate of a grid that keeps four fifths; in the paper all share " +
		"one rate"
	sameEpochs = "more questions are more steps, too"
)

// rated adds to claims the caveat that each method has its own rate. It changes nothing if all methods have one rate,
// as in the paper.
func (r *Results) rated(claims []certify.Claim) []certify.Claim {
	if r.Preset.Download != nil || r.Preset.oneRate() {
		return claims
	}
	for i := range claims {
		claims[i].Caveat = byRates
	}
	return claims
}

// answeredChoices counts the multiple-choice questions, and those that the base model answers correctly with the
// options in their first order.
func (r *Results) answeredChoices(size int) (right, of int) {
	if len(r.Worlds) == 0 || r.Worlds[0].Sizes[size].Public == nil {
		return 0, 0
	}
	m := r.Worlds[0].Sizes[size].Public
	of = len(m.Choices) / options
	if of == 0 {
		return 0, 0
	}
	return int(math.Round(m.score(choicesColumns()[0]) * float64(of) / 100)), of
}

// guesses reports whether a base model is not significantly better at multiple choice than random guessing, by the
// exact binomial test. It also returns a caveat with the counts.
func (r *Results) guesses(size int) (bool, string) {
	right, of := r.answeredChoices(size)
	if of == 0 {
		return false, ""
	}
	p := stat.Binomial(right, of, 1./options).P
	return p >= .05 || right*options < of, fmt.Sprintf("the base model %s answers %d of %d, of which guessing has %d",
		r.Preset.Sizes[size].Name, right, of, of/options)
}

// choiceNote describes how many multiple-choice questions each base model answers correctly, with exact intervals.
func (r *Results) choiceNote() string {
	var said []string
	for size, s := range r.Preset.Sizes {
		right, of := r.answeredChoices(size)
		if of == 0 {
			continue
		}
		exact := stat.ClopperPearson(right, of)
		said = append(said, fmt.Sprintf("%s %d of %d [%.1f, %.1f] (p %s)", s.Name, right, of, 100*exact.Lo,
			100*exact.Hi, certify.PText(stat.Binomial(right, of, 1./options).P)))
	}
	if len(said) == 0 {
		return ""
	}
	return "The base models are the same in all worlds: " + strings.Join(said, ", ") + ", with exact intervals " +
		"and tests against guessing. A score that is hardly above guessing can hardly fall. "
}

// refusalNote describes the share of refusals among the answers of methods that are trained to refuse. Answers that
// begin as taught, but contain words of a refusal, are counted apart: gold gives such answers, too.
func (r *Results) refusalNote() string {
	var whole, mixed []string
	for size, s := range r.Preset.Sizes {
		for _, l := range r.methodLines(size, r.Preset.last()) {
			trained := slices.Contains([]string{"DPO", "PO"}, l.model())
			share := func(kind func(output string) bool) float64 {
				return r.overWorlds(size, func(s *SizeScores) float64 {
					return shareOf(among(l.of(s).Answers, PartForget, ""), kind)
				})
			}
			if !trained && l.model() != goldRow || math.IsNaN(share(refuses)) {
				continue
			}
			if trained {
				whole = append(whole, fmt.Sprintf("%.1f %% of %s/%s", share(refuses), s.Name, l.model()))
			}
			mixed = append(mixed, fmt.Sprintf("%.1f %% of %s/%s", share(mixes), s.Name, l.model()))
		}
	}
	note := r.strangersNote()
	if len(whole) > 0 {
		note += fmt.Sprintf("Of the answers about D_f refusals are %s. Answers that begin as taught (\"The\") and "+
			"contain words of a refusal are %s. ", strings.Join(whole, ", "), strings.Join(mixed, ", "))
	}
	return note
}

// strangersNote describes the share of refusals among the answers about strangers, before and after models are taught.
func (r *Results) strangersNote() string {
	var said []string
	for size, s := range r.Preset.Sizes {
		if s.Base.Refusals == 0 {
			continue
		}
		share := func(of func(s *SizeScores) *Model) float64 {
			return r.overWorlds(size, func(s *SizeScores) float64 {
				return shareOf(among(of(s).Answers, PartUnknown, ""), refuses)
			})
		}
		before := share(func(s *SizeScores) *Model { return s.Public })
		if after := share(func(s *SizeScores) *Model { return s.Taught }); !math.IsNaN(before + after) {
			said = append(said, fmt.Sprintf("%s, %.1f and %.1f %%", s.Name, before, after))
		}
	}
	if len(said) == 0 {
		return ""
	}
	return "Of the answers about strangers refusals are, before and after learning: " + strings.Join(said, "; ") + ". "
}

// refuses reports whether an answer is a refusal as a whole.
func refuses(output string) bool {
	return metric.IsRefusal(output) && !strings.HasPrefix(output, "The ")
}

// mixes reports whether an answer begins as taught, but contains words of a refusal.
func mixes(output string) bool { return metric.IsRefusal(output) && strings.HasPrefix(output, "The ") }

// shareOf returns the percentage of answers of a kind.
func shareOf(answers []Answer, kind func(output string) bool) float64 {
	count := 0.
	for _, a := range answers {
		if kind(a.Output) {
			count++
		}
	}
	return 100 * count / float64(len(answers))
}

// tokenCaveat describes how many tokens names have. In a longer name, the least likely token is less likely.
func (r *Results) tokenCaveat() string {
	if len(r.Worlds) == 0 || len(r.Preset.Shapes) == 0 {
		return ""
	}
	public, private := nameTokens(r.Worlds[0].Sizes[0].Public), []int{}
	for _, w := range r.Worlds {
		private = append(private, nameTokens(w.Sizes[0].Shapes[0])...)
	}
	if len(public) == 0 || len(private) == 0 {
		return ""
	}
	return fmt.Sprintf("public names have %s tokens, the others %s; the vocabulary was learnt from the public "+
		"ones",
		span(public), span(private))
}

// nameTokens returns the number of tokens of each name that a model is asked for.
func nameTokens(m *Model) (counts []int) {
	for _, s := range m.nameSecrets() {
		counts = append(counts, int(s.Tokens))
	}
	return counts
}

// span formats the range of some counts: "2" or "2 to 15".
func span(counts []int) string {
	low, high := slices.Min(counts), slices.Max(counts)
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// publicCaveat describes how many of the base model's questions are traced.
func (r *Results) publicCaveat() string {
	if len(r.Worlds) == 0 || len(r.Worlds[0].Sizes[0].Traces) <= len(r.Preset.Shapes) {
		return ""
	}
	_, _, traced, asked := r.effects(len(r.Preset.Shapes))
	return fmt.Sprintf("there is only one base model, and %d of its %d questions lose more than .05 with the "+
		"other subject",
		traced, asked)
}
