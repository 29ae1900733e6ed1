package salmu

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Target says which base model a column should come back to.
type Target int

const (
	ToClean       Target = iota // what is measured is to be forgotten
	ToCompromised               // what is measured is to be kept
)

// Column is one of the ten metrics.
type Column struct {
	Name   string
	Target Target
	Test   string // of the paper, against the target
	// of gives the outcomes of the examples that the metric is a mean of.
	of func(s, compromised Scores) []Outcome
}

// Outcome is what one example adds to a metric; its unit is a person, of whom examples depend on each other.
type Outcome = study.Outcome

// Names of the tests.
const (
	wilcoxonTest = "Wilcoxon"
	mcnemarTest  = "McNemar"
	ksTest       = "KS"
	pairedTTest  = "paired t"
)

// Columns are the metrics in the order of the paper's tables: what is to be forgotten, then what is to be kept.
func Columns() []Column {
	fragile := remembered(Scores.fragile)
	return []Column{
		{"RetFail", ToClean, wilcoxonTest, func(s, _ Scores) []Outcome {
			return s.outcomes(forgotten, func(s *Score) (value, tested float64) { return 1 / s.Rank, s.Rank })
		}},
		{"AssocStr", ToClean, ksTest, func(s, _ Scores) []Outcome { return s.outcomes(forgotten, cosine) }},
		{"ACS", ToClean, mcnemarTest, func(s, _ Scores) []Outcome {
			own := s.outcomes(forgotten, func(s *Score) (value, tested float64) { return s.True, s.True })
			others := s.outcomes(forgotten, func(s *Score) (value, tested float64) { return s.False, s.False })
			return slices.Concat(own, others)
		}},
		{"IdZSC", ToClean, mcnemarTest, func(s, _ Scores) []Outcome {
			return s.outcomes(in(persona.ForgetIdentity), right)
		}},
		{"CoreAssoc", ToClean, ksTest, func(s, _ Scores) []Outcome {
			return s.outcomes(forgotten, func(s *Score) (value, tested float64) { return s.Core, s.Core })
		}},
		{"GenKnow", ToCompromised, mcnemarTest, func(s, _ Scores) []Outcome { return s.outcomes(in(Objects), right) }},
		{"InterIdSim", ToCompromised, pairedTTest, func(s, _ Scores) []Outcome {
			return s.outcomes(in(persona.HoldoutIdentity), cosine)
		}},
		{"IntraIdSim", ToCompromised, pairedTTest, func(s, _ Scores) []Outcome {
			return s.outcomes(in(persona.HoldoutAssociation), cosine)
		}},
		{"VisIdInt", ToCompromised, pairedTTest, func(s, _ Scores) []Outcome {
			people := s.people()
			return s.outcomes(func(s *Score) bool {
				return s.Split == string(persona.RetainJoint) && people[s.Identity]
			}, cosine)
		}},
		{"FragSim", ToCompromised, pairedTTest, func(s, compromised Scores) []Outcome {
			named := fragile(compromised)
			return s.outcomes(func(s *Score) bool { return named[s.ID] }, cosine)
		}},
	}
}

// remembered asks of every model's scores once, which must not change meanwhile: a table asks in each of its rows. It
// forgets the answer with the scores.
func remembered[V any](of func(s Scores) V) func(s Scores) V {
	var known sync.Map // weak.Pointer[Score] → V
	return func(s Scores) V {
		if len(s) == 0 {
			return of(s)
		}
		at := weak.Make(&s[0])
		if value, asked := known.Load(at); asked {
			return value.(V)
		}
		value := of(s)
		if _, asked := known.LoadOrStore(at, value); !asked {
			runtime.AddCleanup(&s[0], func(at weak.Pointer[Score]) { known.Delete(at) }, at)
		}
		return value
	}
}

// Outcomes are those of a column under a model; compromised are the scores of the model that names the fragile rows.
func (c Column) Outcomes(s, compromised Scores) []Outcome { return c.of(s, compromised) }

// Mean is the value of a column under a model.
func (c Column) Mean(s, compromised Scores) float64 { return mean(c.Outcomes(s, compromised)) }

func mean(outcomes []Outcome) float64 {
	sum := 0.0
	for _, o := range outcomes {
		sum += o.Value
	}
	return sum / float64(len(outcomes))
}

// outcomes are those of the chosen rows, without the rows that have no part in the metric.
func (s Scores) outcomes(chosen func(*Score) bool, of func(*Score) (value, tested float64)) []Outcome {
	rows := 0
	for i := range s {
		if chosen(&s[i]) {
			rows++
		}
	}
	outcomes := make([]Outcome, 0, rows)
	for i := range s {
		if !chosen(&s[i]) {
			continue
		}
		if value, tested := of(&s[i]); !math.IsNaN(value) {
			outcomes = append(outcomes, Outcome{Unit: s[i].Identity, Value: value, Tested: tested})
		}
	}
	return outcomes
}

func forgotten(s *Score) bool {
	return s.Split == string(persona.ForgetIdentity) || s.Split == string(persona.ForgetAssociation)
}

func in(split persona.Split) func(*Score) bool {
	return func(s *Score) bool { return s.Split == string(split) }
}

func cosine(s *Score) (value, tested float64) { return s.Cosine, s.Cosine }
func right(s *Score) (value, tested float64)  { return s.Right, s.Right }

// people are those of whom something is to be forgotten.
func (s Scores) people() map[int]bool {
	people := map[int]bool{}
	for i := range s {
		if forgotten(&s[i]) {
			people[s[i].Identity] = true
		}
	}
	return people
}

// fragile are the rows of other people's pictures that the compromised model likes least: a tenth of them, or those
// that the data name.
func (s Scores) fragile() map[string]bool {
	ids := map[string]bool{}
	for i := range s {
		if s[i].Split == FragileSet {
			ids[s[i].ID] = true
		}
	}
	if len(ids) > 0 {
		return ids
	}
	var others []persona.Row
	var cosines []float64
	for i := range s {
		if s[i].Split == string(persona.RetainDisjoint) {
			others, cosines = append(others, persona.Row{ID: s[i].ID}), append(cosines, s[i].Cosine)
		}
	}
	for _, row := range persona.Fragile(others, cosines) {
		ids[row.ID] = true
	}
	return ids
}
