package page

import (
	"html/template"

	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
)

// entry is a line of the search page.
type entry struct {
	Paper, Name string // title and short name of the paper
	Kind        string // "claim", "table", "figure" or "printed"
	Text, More  string
	Link        template.URL
	Sign        *Sign // sign of the verdict; nil for tables and figures
}

// Entries returns what readers can search: claims, tables, figures and contradictions in print.
func (s *site) Entries() (all []entry) {
	for _, p := range s.Papers {
		add := func(kind, text, more, id string, sign *Sign) {
			all = append(all, entry{p.Title, p.Name, kind, text, more, template.URL(p.Link(id)), sign})
		}
		if p.Claims != nil {
			for _, c := range p.Claims.All {
				add("claim", c.Text, c.Source, c.ID, &c.Sign)
			}
		}
		for _, t := range p.Tables {
			add("table", t.Title, "", t.ID, nil)
		}
		for _, f := range p.Figures {
			add("figure", f.Title, f.Caption, f.ID, nil)
		}
		for _, g := range p.Findings {
			if g.Verdict != audit.Inconsistent {
				continue
			}
			add("printed", g.Check+", "+g.Item, g.Reason, p.Name+"-audit", signOf(string(g.Verdict)))
		}
	}
	return all
}

// Signs returns the signs of the verdicts that occur in the entries.
func (s *site) Signs() (all []Sign) {
	used := map[string]bool{}
	for _, e := range s.Entries() {
		if e.Sign != nil {
			used[e.Sign.Verdict] = true
		}
	}
	for _, sign := range signs {
		if used[sign.Verdict] {
			all = append(all, sign)
		}
	}
	return all
}
