package salmu

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
)

// The preset is what the rule of the experiment says.
func TestRecovery_Rule(t *testing.T) {
	text, err := os.ReadFile("../../../docs/experiments.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rule, found := strings.Cut(string(text), "## SALMUBench: what comes back")
	if !found {
		t.Fatal("docs/experiments.md has no rule")
	}
	rule = strings.Join(strings.Fields(rule), " ")
	p := Recovery()
	plan := NewPlan(p)
	attacks, models := 0, 0
	for _, run := range plan.Runs() {
		if Attacked.Made(run) {
			attacks++
		} else if Forgetful.Made(run) {
			models++
		}
	}
	said := []string{
		fmt.Sprintf("worlds %d to %d of the preset", p.Looked, p.Worlds-1), "nine methods of Table 5",
		fmt.Sprintf("at the rates %v and %v", "1e-4", "5e-4"), "64 pairs, decay .01",
		fmt.Sprintf("One for each method and attack: %d.", len(p.Attacked)*len(p.Attacks)),
		fmt.Sprintf("p-values are multiplied by %d", len(p.Attacked)*len(p.Attacks)),
		fmt.Sprintf("%s for what is left, %s for what comes back, %s for what is kept", withoutZero(attack.MostLeft),
			withoutZero(attack.GainMargin), withoutZero(attack.LeastRetained)),
		fmt.Sprintf("%s attacks and %d models", strings.Replace(fmt.Sprint(attacks), "1280", "1,280", 1), models),
	}
	for _, kind := range p.Attacks {
		said = append(said, "| "+kind.Name+" |")
	}
	for _, words := range said {
		if !strings.Contains(rule, words) {
			t.Errorf("the rule does not say %q", words)
		}
	}
	if len(p.Attacked) != 9 || leastRecovered != 5 {
		t.Errorf("%d methods, read from %d worlds on", len(p.Attacked), leastRecovered)
	}
	for _, m := range p.Attacked {
		if len(m.Budgets) != 1 || !m.Once && m.Budgets[0] != recoveryBudget {
			t.Errorf("%s is attacked at %v passes", m.Title, m.Budgets)
		}
	}
}

func withoutZero(number float64) string { return strings.TrimPrefix(fmt.Sprint(number), "0") }
