package main

import (
	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/kernelext/launcher"
	"github.com/unlearnlab/unlearnlab/unlearnkit/studies"
)

// offers are the names that completion in a notebook offers: those that the verbs take.
func offers() launcher.Offers {
	o := launcher.Offers{Attacks: attacks(), Studies: studies.Papers()}
	for _, test := range statTests {
		o.Tests = append(o.Tests, test.name)
	}
	for _, s := range studies.All {
		for _, t := range s.Tables {
			o.Made = append(o.Made, papers.Item{Paper: s.Paper, Name: t.Name})
		}
		for _, t := range besides(s) {
			o.Tables = append(o.Tables, papers.Item{Paper: s.Paper, Name: t.Name})
		}
	}
	for _, d := range drawings() {
		o.Figures = append(o.Figures, papers.Item{Paper: d.paper, Name: d.Name})
	}
	return o
}
