package unslu

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// The rule of the attack must name the number of draws and their seeds.
func TestAttack_Rule(t *testing.T) {
	document, err := os.ReadFile("../../../docs/experiments.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rule, _ := strings.Cut(string(document), "## UnSLU-BENCH: the attack over many draws")
	rule, _, _ = strings.Cut(rule, "\n## ")
	rule = strings.Join(strings.Fields(rule), " ")
	for _, want := range []string{fmt.Sprintf("MIA is the mean over %d draws", attackDraws),
		fmt.Sprintf("The draws have the seeds 0 to %d", attackDraws-1)} {
		if !strings.Contains(rule, want) {
			t.Errorf("the rule lacks %q", want)
		}
	}
}

func TestAttack_Draws(t *testing.T) {
	r := seed.Stream(0, "test", "attack")
	members, others := make([]float64, 20), make([]float64, 30)
	for _, losses := range [][]float64{members, others} {
		for i := range losses {
			losses[i] = r.ExpFloat64()
		}
	}
	got := attack(members, others, Test)
	if len(got.Draws) != attackDraws {
		t.Fatalf("%d draws, want %d", len(got.Draws), attackDraws)
	}
	for _, draw := range []uint64{0, 7, attackDraws - 1} {
		want := metric.LossMIA(members, others, seed.Stream(draw, "unslu", "attack", Test)).MIA
		if got.Draws[draw] != want {
			t.Errorf("draw %d: MIA %v, want %v", draw, got.Draws[draw], want)
		}
	}
}
