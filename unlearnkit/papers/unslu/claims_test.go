package unslu

import (
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// printedExceptions lists claims that the paper's own tables contradict.
var printedExceptions = []string{
	"NG has the highest GUM on each of the ten",
	"NG has the highest GUM on each of the ten, of metrics that are averaged first",
	"NG is first or second more often on multilingual data sets than on English ones",
	"NG is within .03 of gold's F1_T and F1_F and within .05 of its MIA on the mean of the ten",
	"BT and BT-L have a higher GUM in English than elsewhere",
}

func TestClaims_HoldAsPrinted(t *testing.T) {
	claims, values, err := printedClaims()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, c := range claims {
		value := values[i]
		if c.Of == nil {
			if !strings.HasPrefix(c.Name, "NG at rate ") { // the paper does not print the values of Figure 1
				t.Errorf("%s: it cannot be computed from the paper's tables", c.Name)
			}
			continue
		}
		if (value > 0) == slices.Contains(printedExceptions, c.Name) {
			t.Errorf("%s: got %.4f from the printed values", c.Name, value)
		}
		if seen[c.Name] || c.Source == "" || c.Unit == "" || (c.Quote == "") != strings.HasPrefix(c.Source, certify.Ours) {
			t.Errorf("got the claim %+v, want a name of its own, unit, source and, unless it is ours, quotation", c)
		}
		seen[c.Name] = true
	}
	if len(seen) < 40 {
		t.Errorf("got %d claims, want at least 40", len(seen))
	}
}

func TestResults_EpochClaims(t *testing.T) {
	r := &Results{Preset: Mini()}
	for _, c := range r.epochClaims() {
		c.Value(func(name string) float64 {
			for _, budget := range []string{"epochs/2:", "epochs/3:", "epochs/5:"} {
				if strings.HasPrefix(name, budget) {
					t.Errorf("%s asks for %s, of models at chance", c.Name, name)
				}
			}
			return 0
		})
	}
}

// mostFrequent returns the share of the most frequent label. It is the accuracy of a model that always predicts this
// label.
func (s Scores) mostFrequent() (share float64) {
	counts := map[int]int{}
	for _, score := range s {
		counts[score.Label]++
		share = max(share, float64(counts[score.Label])/float64(len(s)))
	}
	return share
}

// Models of Table 5's shorter budgets recognise no more than the most frequent intent would.
func TestShippedBudgetsAtChance(t *testing.T) {
	r, err := Open(t.TempDir(), "mini")
	if err != nil {
		t.Fatal(err)
	}
	for i, budget := range r.Preset.Epochs.Budgets {
		var recognised, majority float64
		for _, w := range r.Worlds {
			gold := w.Epochs[i].Gold
			recognised += accuracy(Test).Mean(gold.Evaluation, nil) / float64(len(r.Worlds))
			majority += gold.Scores.ofSplit(Test).mostFrequent() / float64(len(r.Worlds))
		}
		if chance := budget <= r.Preset.Epochs.Chance; (recognised < majority+.03) != chance {
			t.Errorf("%d epochs: accuracy %.3f where the most frequent intent has %.3f, at chance: %v", budget,
				recognised, majority, chance)
		}
	}
}
