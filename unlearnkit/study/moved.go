package study

import (
	"errors"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Movement reports how much results differ from earlier results of the same study.
type Movement struct {
	Cells    int       `json:"cells"`              // number of cells in all tables of the paper
	Moved    int       `json:"moved"`              // number of cells whose estimate changed
	Farthest *Moved    `json:"farthest,omitempty"` // cell with the largest change relative to its interval
	Verdicts []Verdict `json:"verdicts,omitempty"` // changed verdicts of cells and claims
}

// Moved is a cell whose estimate changed.
type Moved struct {
	Table  string  `json:"table"`
	Row    string  `json:"row"`
	Column string  `json:"column"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Share  float64 `json:"share"` // change divided by half the width of the interval
}

// Verdict is a verdict that has changed.
type Verdict struct {
	Of     string          `json:"of"`
	Before certify.Verdict `json:"before"`
	After  certify.Verdict `json:"after"`
}

// Move compares a study's results before and after one of its runs was replaced. It compares the claims and all tables
// that the preset has.
func Move(s *Study, before, after Results) (m Movement, err error) {
	for _, table := range s.Tables {
		was, err := before.Cells(table.Name)
		if errors.As(err, new(*Lacks)) {
			continue
		}
		if err != nil {
			return m, err
		}
		is, err := after.Cells(table.Name)
		if err != nil {
			return m, err
		}
		for i := range min(len(was), len(is)) {
			m.cell(table.Name, was[i], is[i])
		}
	}
	was, is := before.Claims(), after.Claims()
	for i := range min(len(was), len(is)) {
		if was[i].Verdict != is[i].Verdict {
			m.Verdicts = append(m.Verdicts, Verdict{"the claim " + was[i].Claim, was[i].Verdict, is[i].Verdict})
		}
	}
	return m, nil
}

func (m *Movement) cell(table string, was, is certify.Cell) {
	m.Cells++
	if was.Verdict != is.Verdict {
		m.Verdicts = append(m.Verdicts,
			Verdict{"Table " + table + ", " + was.Row + ", " + was.Column, was.Verdict, is.Verdict})
	}
	size := math.Abs(is.Estimate - was.Estimate)
	if !(size > 0) {
		return
	}
	m.Moved++
	share := size / ((was.Hi - was.Lo) / 2)
	if m.Farthest == nil || share > m.Farthest.Share {
		m.Farthest = &Moved{table, was.Row, was.Column, was.Estimate, is.Estimate, share}
	}
}
