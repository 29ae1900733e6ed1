package concealment

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// Thresholds that a setting must reach on the tuning prompts.
const (
	mostConcept   = attack.MostLeft      // upper bound on the share of concept pictures that show the concept
	leastRetained = attack.LeastRetained // lower bound on how often other prompts are obeyed, relative to the original
	hair          = 1e-9
)

// RateViews holds the judge's labels for models that a method trained at one rate.
type RateViews struct {
	Rate  float64
	Views map[int]Views // labels by budget; key 0 has the original's
}

// Trial is a tried setting with its scores on the tuning prompts.
type Trial struct {
	Rate     float64
	Budget   int
	Concept  float64 // share of pictures that show the concept, if the prompt asks for it
	Retained float64 // how often other prompts are obeyed, relative to the original

	shows share
}

// shown returns the share of pictures that show the concept, if the prompt asks for it. It has Wilson's 95 % interval.
func (t Trial) shown() stat.Effect { return stat.Wilson(t.shows.right, t.shows.of) }

// reaches reports whether the trial reaches both thresholds.
func (t Trial) reaches() bool {
	return t.Concept < mostConcept-hair && t.Retained >= leastRetained-hair
}

// margin returns the distance to the nearest threshold in billionths, negative if the trial misses a threshold. It is
// rounded, so that margins that differ only by floating-point errors are equal.
func (t Trial) margin() float64 {
	return math.Round(min(mostConcept-t.Concept, t.Retained-leastRetained) / hair)
}

// Trials returns one trial for each tried rate and budget.
func Trials(e concept.Erasure, tried []RateViews) ([]Trial, error) {
	var trials []Trial
	for _, t := range tried {
		before := t.Views[0].retained(e)
		if !(before.share() > 0) {
			return nil, fmt.Errorf("erase %s at rate %g: the original obeys none of the %d prompts to retain, "+
				"so there is nothing to compare with", e.Paper, t.Rate, before.of)
		}
		for budget, views := range t.Views {
			if budget == 0 {
				continue
			}
			forget, retain := views.shows(e), views.retained(e)
			if forget.of == 0 || retain.of == 0 {
				return nil, fmt.Errorf("erase %s at rate %g, %d passes: %d pictures of the concept and %d "+
					"others; both are needed", e.Paper, t.Rate, budget, forget.of, retain.of)
			}
			trials = append(trials, Trial{t.Rate, budget, forget.share(), retain.share() / before.share(),
				forget})
		}
	}
	slices.SortFunc(trials, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(a.Rate, b.Rate), cmp.Compare(a.Budget, b.Budget))
	})
	return trials, nil
}

// Choose returns the setting with which a method erases a concept. It uses prompts and noises that are not used to
// judge methods later. A setting must reach two thresholds. Fewer than a fifth of the pictures that should show the
// concept may show it. Other prompts must be obeyed at least four fifths as often as by the original.
//
// Choose returns the setting with the largest distance from its nearest threshold. A setting that barely reaches the
// thresholds on some prompts would miss them on others. Among equal settings it prefers the fewest passes, then the
// lowest rate. If no setting reaches the thresholds, Choose returns the setting that comes closest, and Reached is
// false.
func Choose(method string, e concept.Erasure, tried []RateViews) (Setting, error) {
	trials, err := Trials(e, tried)
	if err != nil {
		return Setting{}, err
	}
	if len(trials) == 0 {
		return Setting{}, fmt.Errorf("erase %s by %s: nothing was tried", e.Paper, method)
	}
	if reaching := slices.DeleteFunc(slices.Clone(trials), func(t Trial) bool {
		return !t.reaches()
	}); len(reaching) > 0 {
		trials = reaching
	}
	best := slices.MinFunc(trials, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(b.margin(), a.margin()), cmp.Compare(a.Budget, b.Budget), cmp.Compare(a.Rate, b.Rate))
	})
	return Setting{method, e.Paper, best.Rate, best.Budget, best.reaches()}, nil
}
