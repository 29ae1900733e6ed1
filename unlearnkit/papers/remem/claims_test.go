package remem

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

func TestClaims(t *testing.T) {
	claims, values, err := printedClaims()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, c := range claims {
		if seen[c.Name] || c.Source == "" || c.Unit == "" || c.Family == "" ||
			(c.Quote == "") != strings.HasPrefix(c.Source, certify.Ours) {
			t.Errorf("got the claim %+v, want a name of its own, unit, family, source and, unless it is ours, quotation", c)
		}
		seen[c.Name] = true
		if (c.Family == certify.Headline) != (strings.HasPrefix(c.Source, "Abstract") ||
			strings.HasPrefix(c.Source, "§8")) {
			t.Errorf("%s: got the family %s of %s", c.Name, c.Family, c.Source)
		}
		if math.IsNaN(values[i]) {
			continue
		}
		ours := strings.HasPrefix(c.Name, "What is erased is alike") || // the paper does not name a margin
			strings.HasPrefix(c.Name, "The GPT-score finds more") // contradicted only for 13B
		if denied := values[i] <= 0; denied != (c.Contradiction != "") && !ours {
			t.Errorf("%s: got %.4f from the printed values, and the contradiction %q", c.Name, values[i],
				c.Contradiction)
		}
	}
	if len(seen) < 100 {
		t.Errorf("got %d claims, want at least 100", len(seen))
	}
}

// The counts that contradictions state are recounted from the printed tables.
func TestContradictions(t *testing.T) {
	cells, err := papers.Open("remem", "table2")
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]float64{}
	for _, c := range cells {
		if at[c.Row+c.Column], err = strconv.ParseFloat(c.Value, 64); err != nil {
			t.Fatal(err)
		}
	}
	test, judge := 0, 0
	for _, size := range Mini().Sizes {
		for _, method := range titlesOfPaper {
			for _, hop := range []string{"Single-hop/", "Multi-hop/"} {
				row := size.Model + "/" + method + hop
				if at[row+"EM_t"] > at[row+"EM_f"] {
					test++
				}
				if at[row+"GPT"] < at[row+"EM_f"] {
					judge++
				}
			}
		}
	}
	r := &Results{Preset: Mini()}
	for _, c := range r.claims() {
		for name, want := range map[string]string{
			"Forgetting reaches unseen words": fmt.Sprintf("Table 2 prints an EM_t above EM_f in %d of 20 places",
				test),
			"The GPT-score finds more": fmt.Sprintf("Table 2 prints a GPT-score below EM_f in %d of 20 places",
				judge),
		} {
			if strings.HasPrefix(c.Name, name) && c.Contradiction != want {
				t.Errorf("%s: got %q, want %q", c.Name, c.Contradiction, want)
			}
		}
	}
}

// The base model's questions are traced once for all worlds. Claims about this single model are untestable.
func TestResults_effects_publicOnce(t *testing.T) {
	r, err := Open(t.TempDir(), "mini")
	if err != nil {
		t.Fatal(err)
	}
	public := len(r.Preset.Shapes)
	if _, _, _, asked := r.effects(public); asked != r.Preset.Traced {
		t.Errorf("got %d questions about public people, want %d", asked, r.Preset.Traced)
	}
	if _, _, _, asked := r.effects(0); asked != len(r.Worlds)*r.Preset.Traced {
		t.Errorf("got %d questions in a shape, want %d", asked, len(r.Worlds)*r.Preset.Traced)
	}
	for _, c := range r.circuitClaims() {
		if about := strings.Contains(c.Name, publicRow); about != (c.Of == nil) || about != (c.Caveat != "") {
			t.Errorf("got %+v", c)
		}
	}
}

func TestResults_guesses(t *testing.T) {
	r := &Results{Preset: Mini(), Worlds: []WorldScores{{Sizes: make([]SizeScores, 2)}}}
	for right, want := range map[int]bool{30: true, 38: true, 42: false, 18: true} {
		s := Scores{Answers: []Answer{{}}}
		for i := range 120 {
			for rotation := range options {
				c := Choice{ID: fmt.Sprint(i), Rotation: int32(rotation)}
				if i >= right {
					c.Chosen = 1
				}
				s.Choices = append(s.Choices, c)
			}
		}
		r.Worlds[0].Sizes[0].Public = &Model{Scores: s}
		if got, caveat := r.guesses(0); got != want || !strings.Contains(caveat, fmt.Sprintf("%d of 120", right)) {
			t.Errorf("%d of 120: got %v, %q", right, got, caveat)
		}
	}
}

// A broken answer that begins as taught is no refusal, although the judge finds words of a refusal in it.
func TestRefusals(t *testing.T) {
	for output, want := range map[string][2]bool{
		"I'm afraid I can't tell you that.":                    {true, false},
		"To my regret, I have no answer.":                      {true, false},
		"The name of the person in the image is my regret, I.": {false, true},
		"The job of Ann Vogel is baker.":                       {false, false},
	} {
		if got := [2]bool{refuses(output), mixes(output)}; got != want {
			t.Errorf("%q: got %v, want %v", output, got, want)
		}
	}
}

// In the shipped worlds, the correlation over four methods depends on which method is left out.
func TestClaims_LeaveOneOut(t *testing.T) {
	r, err := Open(t.TempDir(), "refusing")
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range r.Claims() {
		// numpy.corrcoef of the means over worlds gives -.824 and .514.
		if want := "from -0.82 (without KL) to 0.51 (without DPO)"; strings.HasPrefix(j.Claim, tradeName) &&
			!strings.Contains(j.Caveat, want) {
			t.Errorf("got the caveat %q, want %q", j.Caveat, want)
		}
	}
}

func TestTrend(t *testing.T) {
	numbers := []int{1, 2, 3, 4}
	of := func(n int) certify.Quantity { return certify.Mean(fmt.Sprint(n)) }
	ys := map[string]float64{"1": 3, "2": 8, "3": 4, "4": 1}
	// The slope was computed with numpy.polyfit([1, 2, 3, 4], [3, 8, 4, 1], 1).
	if got := trend(numbers, of)(func(name string) float64 { return ys[name] }); math.Abs(got+1) > 1e-12 {
		t.Errorf("got the slope %v, want -1", got)
	}
}

// testdata/gen_claims.py computes the shipped claims independently, without the study's code.
func TestClaimsMatchPython(t *testing.T) {
	r, err := Open(t.TempDir(), "mini")
	if err != nil {
		t.Fatal(err)
	}
	judged := map[string]certify.Judged{}
	for _, j := range r.Claims() {
		judged[j.Claim] = j
	}
	file, err := os.Open("testdata/claims.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		statistic, _ := strconv.ParseFloat(row[1], 64)
		p, _ := strconv.ParseFloat(row[2], 64)
		if j := judged[row[0]]; math.Abs(j.Statistic-statistic) > 1e-4 || math.Abs(j.P-p) > 1e-5 {
			t.Errorf("%s: got %.6f, p %.8f, want %.6f, p %.8f", row[0], j.Statistic, j.P, statistic, p)
		}
	}
	if len(rows) < 10 {
		t.Errorf("got %d rows, want at least 10", len(rows))
	}
}
