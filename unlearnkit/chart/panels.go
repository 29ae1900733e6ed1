package chart

import (
	"fmt"
)

// Panels arranges figures in a grid, labelled (a), (b), (c), …. If all panels have the same legend, it is drawn once.
type Panels struct {
	Title   string
	Caption string
	Columns int     // number of panels per row
	Taller  float64 // factor by which the height is multiplied; 0 means 1
	Figures []*Figure
}

// panelsData holds the data of all panels, in order.
type panelsData struct {
	Title   string `json:"title"`
	Caption string `json:"caption,omitempty"`
	Panels  []any  `json:"panels"`
}

// Figure returns the panels as one figure.
func (p Panels) Figure() (*Figure, error) {
	if err := filled("panels", len(p.Figures)); err != nil {
		return nil, err
	}
	if len(p.Figures) > 'z'-'a'+1 {
		return nil, fmt.Errorf("panels: %d figures; letters name 26", len(p.Figures))
	}
	if p.Columns < 1 || p.Columns > len(p.Figures) {
		return nil, fmt.Errorf("panels: %d columns for %d figures; use 1 to %[2]d", p.Columns, len(p.Figures))
	}
	data := panelsData{Title: p.Title, Caption: p.Caption}
	for i, panel := range p.Figures {
		if panel == nil {
			return nil, fmt.Errorf("panels: figure %d is nil", i+1)
		}
		data.Panels = append(data.Panels, panel.data)
	}
	return &Figure{Title: p.Title, Caption: p.Caption, Kind: "Panels", Chart: p, data: data}, nil
}
