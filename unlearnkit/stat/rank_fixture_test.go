package stat

import (
	"encoding/json"
	"testing"
)

// rankCase is one case in the fixtures of rank tests and Kolmogorov-Smirnov tests. Each test uses some of the fields.
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

// options returns the case's settings as options.
func (c rankCase) options() []Option {
	methods := map[string]Method{"": Auto, "auto": Auto, "exact": Exact, "asymptotic": Asymptotic, "asymp": Asymptotic}
	zeros := map[string]ZeroMethod{"": DropZeros, "wilcox": DropZeros, "pratt": PrattZeros, "zsplit": SplitZeros}
	opts := []Option{alternativeNamed[c.Alternative], methods[c.Method], zeros[c.ZeroMethod]}
	if c.Correction != nil {
		opts = append(opts, Correction(*c.Correction))
	}
	return opts
}

// rankFixture reads the named lists of cases in a fixture.
func rankFixture(t *testing.T, file string) map[string][]rankCase {
	t.Helper()
	var raw map[string]json.RawMessage
	readFixture(t, file, &raw)
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
