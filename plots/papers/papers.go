// Package papers names the figures of papers, once. Who asks for any of them asks here.
package papers

import (
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/plots/concealment"
	"github.com/unlearnlab/unlearnlab/plots/remem"
	"github.com/unlearnlab/unlearnlab/plots/salmu"
	"github.com/unlearnlab/unlearnlab/plots/unslu"
)

var all = map[string]plots.Drawings{
	"salmu":       salmu.Drawings,
	"remem":       remem.Drawings,
	"unslu":       unslu.Drawings,
	"concealment": concealment.Drawings,
}

// Of are the figures of a paper in the order in which they are listed, none of a paper that has none.
func Of(paper string) plots.Drawings { return all[paper] }
