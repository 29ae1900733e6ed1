package main

import (
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
)

// offers returns the names that completion offers: the names that the verbs accept.
func offers() launcher.Offers {
	o := launcher.Offers{Attacks: attacks(), Studies: papers.Papers()}
	for _, test := range statTests {
		o.Tests = append(o.Tests, test.name)
	}
	for _, s := range papers.All {
		for _, t := range s.Tables {
			o.Made = append(o.Made, paperdata.Item{Paper: s.Paper, Name: t.Name})
		}
		for _, t := range extraTables(s) {
			o.Tables = append(o.Tables, paperdata.Item{Paper: s.Paper, Name: t.Name})
		}
	}
	for _, d := range drawings() {
		o.Figures = append(o.Figures, paperdata.Item{Paper: d.paper, Name: d.Name})
	}
	return o
}
