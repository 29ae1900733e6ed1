package stat

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// rankCase is one line of the fixtures of rank tests and Kolmogorov-Smirnov tests; each test uses its own part.
type rankCase struct {
	X, Y          []float64
	Columns       [][]float64
	Alternative   string
	Method        string
	ZeroMethod    string `json:"zero_method"`
	Correction    *bool
	Statistic     float64
	P             float64
	Z             *float64
	K, N          int
	Q, D, One     float64
	N1, N2        int
	Location      float64
	Sign          int
	AverageRanks  []float64
	Nemenyi       [][]float64
	ImanDavenport float64
	FP            float64
	Positive      int
	Negative      int
	SignedRank    float64
	RankSum       float64
}

// options are the case's settings as options.
func (c rankCase) options() []Option {
	alternatives := map[string]Alternative{"": TwoSided, "two-sided": TwoSided, "less": Less, "greater": Greater}
	methods := map[string]Method{"": Auto, "auto": Auto, "exact": Exact, "asymptotic": Asymptotic, "asymp": Asymptotic}
	zeros := map[string]ZeroMethod{"": DropZeros, "wilcox": DropZeros, "pratt": PrattZeros, "zsplit": SplitZeros}
	opts := []Option{alternatives[c.Alternative], methods[c.Method], zeros[c.ZeroMethod]}
	if c.Correction != nil {
		opts = append(opts, Correction(*c.Correction))
	}
	return opts
}

// rankFixture reads the named lists of a fixture.
func rankFixture(t *testing.T, file string) map[string][]rankCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	lists := map[string][]rankCase{}
	for name, list := range raw {
		if name == "generator" {
			continue
		}
		var cases []rankCase
		if err := json.Unmarshal(list, &cases); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lists[name] = cases
	}
	return lists
}

// rankCloseTo fails unless got is within a relative tolerance of want.
func rankCloseTo(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if got == want {
		return
	}
	if !(math.Abs(got-want) <= relative*math.Abs(want)) {
		t.Errorf("%s = %.17g, want %.17g (relative error %.2g)", what, got, want, math.Abs(got-want)/math.Abs(want))
	}
}
