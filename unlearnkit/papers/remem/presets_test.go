package remem_test

import (
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// A pilot trained every method in a separate world at increasing rates, until the method retained too little. The
// preset uses the largest rate before that. The pilot prints the file.
func TestRates_FromPilot(t *testing.T) {
	for file, preset := range map[string]remem.Preset{
		"rates.csv": remem.Mini(), "rates-refusing.csv": remem.Matched(),
	} {
		t.Run(preset.Name, func(t *testing.T) { checkRates(t, "testdata/"+file, preset) })
	}
}

// checkRates compares a preset's rates with the table of a pilot.
func checkRates(t *testing.T, file string, preset remem.Preset) {
	frame, err := safefile.ReadWords(file)
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := safefile.ReadNumbers(file, "rate", "kept")
	if err != nil {
		t.Fatal(err)
	}
	gold := map[string]float64{}
	largest, tried := map[[2]string]float64{}, map[[2]string]float64{}
	for row, method := range frame.Column("method").Texts {
		size, rate := frame.Column("size").Texts[row], numbers.Column("rate").Values[row]
		kept := numbers.Column("kept").Values[row]
		if method == "gold" {
			gold[size] = kept
			continue
		}
		at := [2]string{size, method}
		tried[at] = max(tried[at], rate)
		if kept >= remem.LeastKept*gold[size] {
			largest[at] = max(largest[at], rate)
		}
	}
	for _, m := range preset.Methods {
		for size, rate := range m.Rates {
			at := [2]string{size, m.Name}
			if rate != largest[at] {
				t.Errorf("%s has the rate %g at size %s, the largest that keeps enough is %g", m.Name, rate, size,
					largest[at])
			}
			if tried[at] <= rate {
				t.Errorf("%s at size %s: no rate above %g was tried", m.Name, size, rate)
			}
		}
	}
}

// Twelve worlds publish the runs that mini lacks, and no models. The rule says from how many worlds on they are read.
func TestTwelveWorlds(t *testing.T) {
	plan, shipped := remem.NewPlan(remem.TwelveWorlds()), remem.NewPlan(remem.Mini()).Keys()
	published := 0
	for _, run := range plan.Runs() {
		if _, is := plan.Published(run, nil); is {
			published++
			if shipped[run.Key()] || !strings.HasPrefix(run.Title, "world ") {
				t.Errorf("%s is published again, or is no run of a world", run.Title)
			}
		}
	}
	if published%7 != 0 || published == 0 {
		t.Errorf("%d runs of seven worlds are published", published)
	}
	rule, err := os.ReadFile("../../../docs/experiments.md")
	if err != nil {
		t.Fatal(err)
	}
	for says, is := range map[string]bool{
		"all complete worlds count, if there are at least eight.": remem.LeastOfTwelve == 8,
		"every p-value is doubled before the correction":          remem.TwelveWorlds().Looks == 2,
	} {
		if !is || !strings.Contains(strings.ReplaceAll(string(rule), "\n", " "), says) {
			t.Errorf("the rule should say %q, and the preset do it", says)
		}
	}
}
