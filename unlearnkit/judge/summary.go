package judge

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Summary holds the mean score of several outputs.
type Summary struct {
	Mean float64 `json:"mean"`
	// Lo and Hi are the limits of the 95 % interval of the mean, computed by package certify from the groups of
	// outputs. They are NaN if there is only one group.
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
	Basis    string  `json:"basis"` // what the interval is based on
	N        int     `json:"n"`
	Groups   int     `json:"groups"`   // number of groups, or of outputs if there are no groups
	Unparsed int     `json:"unparsed"` // number of outputs that score 0 because no answer of the judge could be parsed
}

// Summarize averages judgments. Outputs in the same group are not independent. groups is nil, or has the group of each
// output. An output with the group "" forms a group by itself.
func Summarize(judgments []metric.Judgment, groups []string) Summary {
	nan := math.NaN()
	s := Summary{Lo: nan, Hi: nan, Mean: nan, N: len(judgments)}
	family, units := certify.Family{Name: "outputs"}, map[string]int{}
	var sample certify.Sample
	total := 0.0
	for i, j := range judgments {
		unit := fmt.Sprint("\x00", i)
		if groups != nil && groups[i] != "" {
			unit, family.Name = groups[i], "groups"
		}
		if _, met := units[unit]; !met {
			units[unit] = len(units)
		}
		sample.Units, sample.Values = append(sample.Units, units[unit]), append(sample.Values, j.Score/100)
		total += j.Score
		if j.Unparsed {
			s.Unparsed++
		}
	}
	if s.Groups = len(units); s.N > 0 {
		s.Mean = total / float64(s.N)
	}
	if s.Groups < 2 {
		s.Basis = "one group has no interval"
		return s
	}
	panel := &certify.Panel{}
	panel.Add("score", certify.Once(family, sample).Share())
	estimate := panel.Estimate(certify.Mean("score"))
	s.Lo, s.Hi, s.Basis = 100*estimate.Lo, 100*estimate.Hi, estimate.Basis.String()
	return s
}

// Table returns the summary as a table.
func (s Summary) Table() *report.Table {
	t := &report.Table{
		Title: "Memorization score, 0 to 100", Corner: "outputs",
		Columns: []report.Column{{Name: "mean"}, {Name: "from"}, {Name: "to"}, {Name: "groups"}, {Name: "unparsed"}},
		Rows: []report.Row{{Name: fmt.Sprint(s.N), Cells: []report.Cell{number(s.Mean), number(s.Lo), number(s.Hi),
			count(s.Groups), count(s.Unparsed)}}},
		Note: "Interval of 95 % by " + s.Basis + ".",
	}
	if math.IsNaN(s.Lo) {
		t.Note = "Outputs of one group alone have no interval."
	}
	if s.Unparsed > 0 {
		t.Note += " Outputs whose judge gave no readable answer count 0."
	}
	return t
}

func number(x float64) report.Cell {
	if math.IsNaN(x) {
		return report.Word("–")
	}
	return report.Number(fmt.Sprintf("%.2f", x), x)
}

func count(n int) report.Cell { return report.Number(fmt.Sprint(n), float64(n)) }

// MarshalJSON encodes the summary. NaN becomes null.
func (s Summary) MarshalJSON() ([]byte, error) {
	type plain Summary
	return json.Marshal(struct {
		plain
		Mean *float64 `json:"mean"`
		Lo   *float64 `json:"lo"`
		Hi   *float64 `json:"hi"`
	}{plain(s), report.Defined(s.Mean), report.Defined(s.Lo), report.Defined(s.Hi)})
}
