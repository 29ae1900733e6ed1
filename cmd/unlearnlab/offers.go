package main

import (
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/attack"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/stat"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/labs"
)

// offers returns the names that completion offers, which are those that the verbs accept.
func offers() launcher.Offers {
	o := launcher.Offers{Attacks: attack.Names(), Tests: stat.Names(), Studies: papers.Papers(),
		Audited: papers.Audited(), Exported: labs.Exportable()}
	for _, s := range papers.All {
		for _, t := range s.Tables {
			o.Made = append(o.Made, paperdata.Item{Paper: s.Paper, Name: t.Name})
		}
		for _, t := range studies.FurtherTables(s) {
			o.Tables = append(o.Tables, paperdata.Item{Paper: s.Paper, Name: t.Name})
		}
		for _, d := range s.Figures {
			o.Figures = append(o.Figures, paperdata.Item{Paper: s.Paper, Name: d.Name})
		}
	}
	return o
}
