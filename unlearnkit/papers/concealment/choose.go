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

// What a setting has to reach on the prompts of the tuning.
const (
	mostConcept   = attack.MostLeft      // of the pictures that are asked to show the concept do
	leastRetained = attack.LeastRetained // as often as by the original other prompts are obeyed
	hair          = 1e-9
)

// Tried is what a judge saw while a method erased a concept at a rate.
type Tried struct {
	Rate  float64
	Views map[int]Views // by budget; that of no passes is the original's
}

// Trial is a setting with what it came to on the prompts of the tuning.
type Trial struct {
	Rate     float64
	Budget   int
	Concept  float64 // share of the pictures asked to show the concept that do
	Retained float64 // how often other prompts are obeyed, of how often the original obeys them

	shows share
}

// Shown is the share of the pictures asked to show the concept that do, with Wilson's interval of 95 %.
func (t Trial) Shown() stat.Effect { return stat.Wilson(t.shows.right, t.shows.of) }

// reaches tells whether the trial comes to what a setting has to.
func (t Trial) reaches() bool {
	return t.Concept < mostConcept-hair && t.Retained >= leastRetained-hair
}

// margin is by how much it does, at the worse of its two ends, in whole billionths: shares that are equal on paper are
// equal here.
func (t Trial) margin() float64 {
	return math.Round(min(mostConcept-t.Concept, t.Retained-leastRetained) / hair)
}

// Trials are what was tried, by rate and budget.
func Trials(e concept.Erasure, tried []Tried) ([]Trial, error) {
	var trials []Trial
	for _, t := range tried {
		before := t.Views[0].retained(e)
		if !(before.share() > 0) {
			return nil, fmt.Errorf("erase %s at rate %g: the original obeys none of %d prompts that are to be "+
				"retained, so that nothing can be compared with it", e.Paper, t.Rate, before.of)
		}
		for budget, views := range t.Views {
			if budget == 0 {
				continue
			}
			forget, retain := views.shows(e), views.retained(e)
			if forget.of == 0 || retain.of == 0 {
				return nil, fmt.Errorf("erase %s at rate %g, %d passes: %d pictures of the concept and %d others; "+
					"there must be some of both", e.Paper, t.Rate, budget, forget.of, retain.of)
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

// Choose chooses how a method erases a concept, by what was seen on prompts and noise that judge no method. A setting
// reaches what it has to where fewer than a fifth of the pictures that are asked to show the concept do, and other
// prompts are obeyed at least four fifths as often as by the original. The one is chosen that reaches it with the most
// to spare at the worse of these two ends, for what is just reached on some prompts is missed on others; of equals the
// one with the fewest passes, then the lowest rate. Where none reaches it, it is the one that misses by least, and
// Reached is false.
func Choose(method string, e concept.Erasure, tried []Tried) (Setting, error) {
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
