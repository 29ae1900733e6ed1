package printed

var embeddingMetrics = []string{"RetFail", "AssocStr", "ACS", "IdZSC", "CoreAssoc", "GenKnow", "InterIdSim",
	"IntraIdSim", "VisIdInt", "FragSim"}

var salmu = paper{"SALMUBench", map[string]layout{
	"table4": {corners: []string{"Model"}, references: []string{"Clean", "Compromised"}},
	"table5": {
		corners: []string{"Method", "Budget"}, references: []string{"Target Scores"}, target: "Target Scores",
		nearest: embeddingMetrics,
		note: "Best is nearest to the target, over all methods and budgets. Targets: Clean " +
			"for the first five columns, Compromised for the last five.",
	},
	"table6": {
		corners: []string{"Method", "Budget"}, references: []string{"Clean (Reference)"}, target: "Clean (Reference)",
		nearest: embeddingMetrics,
		note:    "Best is nearest to the unmodified Clean model.",
	},
}}
