package chart

import (
	"fmt"
	"math"
	"slices"
)

// HeatMap shows one or more matrices side by side. They share a colour scale, which a colour bar explains.
type HeatMap struct {
	Title    string   `json:"title"`
	Caption  string   `json:"caption,omitempty"`
	XLabel   string   `json:"x_label,omitempty"`
	YLabel   string   `json:"y_label,omitempty"`
	Panels   []Matrix `json:"panels"`
	Scale    Scale    `json:"scale"`
	Annotate bool     `json:"annotate,omitempty"` // write the values into the cells
	Decimals int      `json:"decimals,omitempty"` // number of decimals of written values
}

// Matrix is a named table of numbers.
type Matrix struct {
	Name    string      `json:"name,omitempty"`
	Rows    []string    `json:"rows"`
	Columns []string    `json:"columns"`
	Values  [][]float64 `json:"values"` // one list of values per row
}

// Scale defines which values the first and the last colour represent.
type Scale struct {
	Label     string  `json:"label"`
	Min       float64 `json:"min,omitempty"` // value of the first colour; 0 with Max 0 means the range of all panels
	Max       float64 `json:"max,omitempty"`
	Diverging bool    `json:"diverging,omitempty"` // the middle colour represents 0
}

// Figure returns the chart as a figure.
func (h HeatMap) Figure() (*Figure, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	return newFigure("Heat map", h.Title, h.Caption, h, h), nil
}

func (h HeatMap) check() error {
	if err := firstError(filled("heat map", len(h.Panels)),
		finite("heat map: scale", h.Scale.Min, h.Scale.Max)); err != nil {
		return err
	}
	if h.Scale.Min > h.Scale.Max {
		return fmt.Errorf("heat map: scale from %g to %g; the smaller end comes first", h.Scale.Min, h.Scale.Max)
	}
	for _, m := range h.Panels {
		where := fmt.Sprintf("heat map: panel %q", m.Name)
		if err := firstError(filled(where, len(m.Rows)), filled(where, len(m.Columns)), filled(where, len(m.Values)),
			matching(where, "row names", len(m.Values), len(m.Rows))); err != nil {
			return err
		}
		for i, row := range m.Values {
			where := fmt.Sprintf("%s, row %q", where, m.Rows[i])
			if err := firstError(filled(where, len(row)), matching(where, "values", len(m.Columns), len(row)),
				finite(where, row...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Span returns the values that the first and the last colour represent.
func (h HeatMap) Span() (lo, hi float64) {
	lo, hi = h.Scale.Min, h.Scale.Max
	if lo == 0 && hi == 0 {
		lo, hi = math.Inf(1), math.Inf(-1)
		for _, m := range h.Panels {
			for _, row := range m.Values {
				lo, hi = min(lo, slices.Min(row)), max(hi, slices.Max(row))
			}
		}
	}
	if h.Scale.Diverging {
		hi = max(math.Abs(lo), math.Abs(hi))
		lo = -hi
	}
	if lo == hi {
		hi = lo + 1
	}
	return widened(lo, hi)
}
