// Package papers is the single list of the papers' figures.
package papers

import (
	"github.com/unlearnlab/unlearnlab/plots/concealment"
	"github.com/unlearnlab/unlearnlab/plots/remem"
	"github.com/unlearnlab/unlearnlab/plots/salmu"
	"github.com/unlearnlab/unlearnlab/plots/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

var all = map[string]study.Figures{
	"salmu":       salmu.Drawings,
	"remem":       remem.Drawings,
	"unslu":       unslu.Drawings,
	"concealment": concealment.Drawings,
}

// Of returns the figures of a paper in display order, or nil if the paper has none.
func Of(paper string) study.Figures { return all[paper] }
