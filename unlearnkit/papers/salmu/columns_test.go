package salmu

import (
	"math"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// drawn returns random scores of the kinds that a model has: ranks are integers, answers are 0 or 1.
func drawn(stream int) Scores {
	random := seed.Stream(30, stream)
	scores := level(levels{"RetFail": 1})
	for i := range scores {
		s := &scores[i]
		s.Cosine = float64(random.Float32())
		if !math.IsNaN(s.Rank) {
			s.Rank, s.Core = float64(1+random.IntN(50)), float64(random.Float32())
		}
		for _, yes := range []*float64{&s.True, &s.False, &s.Right} {
			if !math.IsNaN(*yes) {
				*yes = float64(random.IntN(2))
			}
		}
	}
	return scores
}

// byLoops computes a column with plain loops. It also returns the values that the column's test compares.
func byLoops(name string, s, compromised Scores) (mean float64, tested []float64) {
	var values []float64
	forgotten := map[int]bool{}
	var others []float64
	for i := range s {
		if s[i].Split == "forget_identity" || s[i].Split == "forget_association" {
			forgotten[s[i].Identity] = true
		}
		if s[i].Split == "retain_disjoint" {
			others = append(others, compromised[i].Cosine)
		}
	}
	slices.Sort(others)
	take := func(value, test float64) { values, tested = append(values, value), append(tested, test) }
	for _, half := range []int{0, 1} { // in ACS, outcomes of true captions precede those of false captions
		for i, row := range s {
			forget := row.Split == "forget_identity" || row.Split == "forget_association"
			switch {
			case name == "ACS" && half == 0 && forget && row.True >= 0:
				take(row.True, row.True)
			case name == "ACS" && half == 1 && forget && row.False >= 0:
				take(row.False, row.False)
			case half == 1:
			case name == "RetFail" && forget:
				take(1/row.Rank, row.Rank)
			case name == "AssocStr" && forget, name == "InterIdSim" && row.Split == "holdout_identity",
				name == "IntraIdSim" && row.Split == "holdout_association",
				name == "VisIdInt" && row.Split == "retain_joint" && forgotten[row.Identity],
				name == "FragSim" && row.Split == "retain_disjoint" && compromised[i].Cosine < others[len(others)/10]:
				take(row.Cosine, row.Cosine)
			case name == "CoreAssoc" && forget:
				take(row.Core, row.Core)
			case name == "IdZSC" && row.Split == "forget_identity", name == "GenKnow" && row.Split == "object_test":
				take(row.Right, row.Right)
			}
		}
	}
	for _, v := range values {
		mean += v
	}
	return mean / float64(len(values)), tested
}

// printedColumns maps the columns that the paper prints to their numbers of examples in the data of [examples].
var printedColumns = map[string]int{"RetFail": 24, "AssocStr": 24, "ACS": 24, "IdZSC": 12, "CoreAssoc": 24,
	"GenKnow": 20, "InterIdSim": 9, "IntraIdSim": 12, "VisIdInt": 7, "FragSim": 4}

func TestColumns_EqualPlainLoops(t *testing.T) {
	own, other := drawn(1), drawn(2)
	e, refs := own.Evaluation(), chosenBy(other)
	for name, count := range printedColumns {
		c := Mini().column(name)
		want, _ := byLoops(name, own, other)
		if got := c.Mean(e, refs); math.Abs(got-want) > 1e-15 || len(c.Outcomes(e, refs)) != count ||
			c.Examples(e, refs) != count {
			t.Errorf("%s: %v of %d in %d examples, want %v of %d", name, got, len(c.Outcomes(e, refs)),
				c.Examples(e, refs), want, count)
		}
		if forget := slices.Contains(leaks, name); forget != (c.Target == clean) {
			t.Errorf("%s has the target %s", name, c.Target)
		}
	}
}

func TestColumns_PaperTest(t *testing.T) {
	own, target, other := drawn(3), drawn(4), drawn(5)
	refs := chosenBy(other)
	for name := range printedColumns {
		c := Mini().column(name)
		_, x := byLoops(c.Name, own, other)
		_, y := byLoops(c.Name, target, other)
		var want float64
		switch c.Name { // the paper's tests, §10
		case "RetFail":
			want = stat.Wilcoxon(x, y).P
		case "ACS", "IdZSC", "GenKnow":
			gained, lost := 0, 0
			for i := range x {
				if x[i] == 1 && y[i] == 0 {
					gained++
				}
				if x[i] == 0 && y[i] == 1 {
					lost++
				}
			}
			want = stat.McNemar(gained, lost).P
		case "AssocStr", "CoreAssoc":
			want = stat.KS2(x, y).P
		default:
			want = stat.TTestPaired(x, y).P
		}
		var tested, against []float64
		for _, o := range c.Outcomes(own.Evaluation(), refs) {
			tested = append(tested, o.Tested)
		}
		for _, o := range c.Outcomes(target.Evaluation(), refs) {
			against = append(against, o.Tested)
		}
		if got := c.Test.P(tested, against); got != want || !(got > 0 && got <= 1) {
			t.Errorf("%s: p %v, want %v", c.Name, got, want)
		}
		if p := c.Test.P(nil, nil); !math.IsNaN(p) {
			t.Errorf("%s of nothing: p %v", c.Name, p)
		}
	}
}

func TestFragile_LowestTenth(t *testing.T) {
	other := drawn(6)
	fragile := fragileIn(t, Mini(), other)
	highest, lowest := 0.0, 1.0
	for _, s := range other {
		switch {
		case slices.Contains(fragile, s.ID):
			highest = max(highest, s.Cosine)
			if s.Split != string(persona.RetainDisjoint) {
				t.Errorf("%+v is fragile", s)
			}
		case s.Split == string(persona.RetainDisjoint):
			lowest = min(lowest, s.Cosine)
		}
	}
	if len(fragile) != 4 || highest >= lowest {
		t.Errorf("%d rows up to %v, the others from %v", len(fragile), highest, lowest)
	}
}

// fragileIn returns the IDs of the pictures that FragSim selects.
func fragileIn(t *testing.T, p Preset, other Scores) []string {
	t.Helper()
	return p.column("FragSim").Selection(chosenBy(other)).Where[0].Words
}
