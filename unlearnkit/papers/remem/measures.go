package remem

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// among returns the answers to a part of the questions, restricted to a hop if hop is not empty.
func among(answers []Answer, part, hop string) (chosen []Answer) {
	for _, a := range answers {
		if a.Part == part && (hop == "" || a.Hop == hop) {
			chosen = append(chosen, a)
		}
	}
	return chosen
}

// meanOf returns the mean over answers, or NaN without answers.
func meanOf(answers []Answer, of func(a Answer) float64) float64 {
	sum := 0.
	for _, a := range answers {
		sum += of(a)
	}
	if len(answers) == 0 {
		return math.NaN()
	}
	return sum / float64(len(answers))
}

// right, rouge and judged score an answer from 0 to 100.
func right(a Answer) float64 {
	if a.Right {
		return 100
	}
	return 0
}

func rouge(a Answer) float64  { return 100 * float64(a.Recall) }
func judged(a Answer) float64 { return float64(a.Judged) }

// share returns the mean of a score over a part and a hop.
func (m *Model) share(of func(a Answer) float64, part, hop string) float64 {
	return meanOf(among(m.Answers, part, hop), of)
}

// macro returns the mean over attributes and hops of the mean score.
func (m *Model) macro(of func(a Answer) float64, part string) float64 {
	groups := map[[2]string][]Answer{}
	for _, a := range among(m.Answers, part, "") {
		at := [2]string{a.Attribute, a.Hop}
		groups[at] = append(groups[at], a)
	}
	sum := 0.
	for _, answers := range groups {
		sum += math.Round(1e9*meanOf(answers, of)) / 1e9 // rounded so that the map's order has no influence
	}
	return sum / float64(len(groups))
}

// exposure returns the mean Exposure of the people to forget, over one hop or both.
func (m *Model) exposure(hop string) float64 {
	sum, n := 0., 0.
	for _, s := range m.Secrets {
		if hop == "" || s.Hop == hop {
			sum += metric.Exposure(int(s.Rank), int(s.Candidates))
			n++
		}
	}
	return sum / n
}

// nameSecrets returns the ranks of people's names.
func (m *Model) nameSecrets() (names []Secret) {
	if m.lost() {
		return nil
	}
	for _, s := range m.Secrets {
		if s.Attribute == string(profile.FullName) {
			names = append(names, s)
		}
	}
	return names
}

// names returns the mean Min-k % and inverse perplexity of people's names, in percent.
func (m *Model) names() (minK, inverse float64) {
	names := m.nameSecrets()
	for _, s := range names {
		minK += 100 * float64(s.MinK)
		inverse += 100 * float64(s.Inverse)
	}
	n := float64(len(names))
	return minK / n, inverse / n
}

// choices returns the percentage of multiple-choice questions that are answered rightly, in the first order of the
// options or in all four orders.
func (m *Model) choices(circular bool) float64 {
	right, all := 0., 0.
	held := map[string]bool{}
	for _, c := range m.Choices {
		if c.Rotation == 0 {
			all++
			held[c.ID] = true
		}
	}
	for _, c := range m.Choices {
		if c.Chosen != c.Truth && (circular || c.Rotation == 0) {
			held[c.ID] = false
		}
	}
	for _, holds := range held {
		if holds {
			right++
		}
	}
	return 100 * right / all
}

// perplexity returns the perplexity of the true answers to a part of the questions.
func (m *Model) perplexity(part string) float64 {
	return math.Exp(-meanOf(among(m.Answers, part, ""), func(a Answer) float64 { return float64(a.LogProb) }))
}
