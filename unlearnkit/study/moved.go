package study

import (
	"errors"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Movement is how far results have moved from other results of the same study.
type Movement struct {
	Cells    int       `json:"cells"`              // of all tables of the paper
	Moved    int       `json:"moved"`              // those of them whose estimate is another one
	Farthest *Moved    `json:"farthest,omitempty"` // the one that moved most beside the width of its interval
	Verdicts []Verdict `json:"verdicts,omitempty"` // of cells and claims, those that changed
}

// Moved is a cell that has moved.
type Moved struct {
	Table  string  `json:"table"`
	Row    string  `json:"row"`
	Column string  `json:"column"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Share  float64 `json:"share"` // of half the width of its interval
}

// Verdict is one that has changed.
type Verdict struct {
	Of     string          `json:"of"`
	Before certify.Verdict `json:"before"`
	After  certify.Verdict `json:"after"`
}

// Move compares what a study has found before and after one of its runs was replaced, in the tables that it has at its
// preset.
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
