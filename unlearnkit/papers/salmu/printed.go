package salmu

import layouts "github.com/unlearnlab/unlearnlab/unlearnkit/printed"

var embeddingMetrics = []string{"RetFail", "AssocStr", "ACS", "IdZSC", "CoreAssoc", "GenKnow", "InterIdSim",
	"IntraIdSim", "VisIdInt", "FragSim"}

// Printed holds the layouts of the paper's printed tables.
var Printed = layouts.Book{Paper: "salmu", Title: "SALMUBench", Layouts: map[string]layouts.Layout{
	"table4": {Corners: []string{"Model"}, References: []string{"Clean", "Compromised"}},
	"table5": {
		Corners: []string{"Method", "Budget"}, References: []string{"Target Scores"}, Target: "Target Scores",
		Nearest: embeddingMetrics,
		Note: "Best is nearest to the target, over all methods and budgets. Targets: Clean for the first five " +
			"columns, Compromised for the last five.",
	},
	"table6": {
		Corners: []string{"Method", "Budget"}, References: []string{"Clean (Reference)"}, Target: "Clean (Reference)",
		Nearest: embeddingMetrics,
		Note:    "Best is nearest to the unmodified Clean model.",
	},
}}
