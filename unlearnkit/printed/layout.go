package printed

import (
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// layout is how a paper reads one of its tables.
type layout struct {
	corner     string
	references []string // rows that are shown and not ranked
	target     string   // the row that the others should be near to
	higher     []string // last header level of columns in which the largest value is best
	lower      []string
	nearest    []string
	rename     map[string]string
	grouped    bool // rows are ranked within the first level of their name
	note       string
}

func (l layout) better(column string) report.Better {
	last := column[strings.LastIndex(column, "/")+1:]
	for better, names := range map[report.Better][]string{report.Higher: l.higher, report.Lower: l.lower,
		report.Nearest: l.nearest} {
		for _, name := range names {
			if name == last {
				return better
			}
		}
	}
	return report.Unranked
}

func (l layout) group(row string) string {
	if l.grouped {
		return strings.SplitN(row, "/", 2)[0]
	}
	return ""
}

var (
	// UnSLU-BENCH, caption of Table 1: "closest to gold model for F1 and MIA, highest for others".
	unslu = layout{
		corner: "Method", references: []string{"Orig.", "Gold"}, target: "Gold",
		nearest: []string{"F1_T", "F1_F", "MIA"}, higher: []string{"GUM", "Speedup"},
		note: "Bold: best, underlined: second; nearest to Gold for F1 and MIA, largest for GUM and speed-up. Marks " +
			"follow from the printed numbers.",
	}
	salmuMetrics = []string{"RetFail", "AssocStr", "ACS", "IdZSC", "CoreAssoc", "GenKnow", "InterIdSim", "IntraIdSim",
		"VisIdInt", "FragSim"}
)

// layouts holds the tables that need more than their cells, by "paper/item".
var layouts = map[string]layout{
	"unslu/table1": unslu,
	"unslu/table2": unslu,
	"unslu/table3": unslu,
	"unslu/table4": {corner: "Method", references: []string{"Orig.", "Gold"}},
	"unslu/table5": {corner: "Epochs"},
	"salmu/table4": {corner: "Model", references: []string{"Clean", "Compromised"}},
	"salmu/table5": {
		corner: "Method/Budget", references: []string{"Target Scores"}, target: "Target Scores", nearest: salmuMetrics,
		note: "Bold: nearest to the target, underlined: second nearest, over all methods and budgets. Targets: Clean " +
			"for the first five columns, Compromised for the last five.",
	},
	"salmu/table6": {
		corner: "Method/Budget", references: []string{"Clean (Reference)"}, target: "Clean (Reference)",
		nearest: salmuMetrics,
		note:    "Bold: nearest to the unmodified Clean model, underlined: second nearest.",
	},
	"remem/table1": {corner: "Benchmark",
		rename: map[string]string{"Images/ID": "Images per ID", "QA/ID": "QA per ID"}},
	"remem/table2": {
		corner: "Model/Method", grouped: true, higher: []string{"ROUGE", "EM_r"},
		lower: []string{"GPT", "EM_f", "Exp", "EM_t"},
		note:  "Bold: best of the model size, underlined: second. Marks follow from the printed numbers.",
	},
	"remem/table3": {corner: "Model"},
	"remem/table4": {corner: "Method", references: []string{"Base Model"},
		higher: []string{"LLaVA-1.5-7B", "LLaVA-1.5-13B"}},
	"remem/table5":       {corner: "Benchmark"},
	"concealment/table1": {corner: "Prompt"},
	"concealment/table2": {corner: "Prompt"},
	"concealment/table3": {corner: "Prompt"},
	"concealment/table4": {corner: "Prompt"},
}
