package remem

import layouts "github.com/unlearnlab/unlearnlab/unlearnkit/printed"

// Printed holds the layouts of the paper's printed tables.
var Printed = layouts.Book{Paper: "remem", Title: "ReMem", Layouts: map[string]layouts.Layout{
	"table1": {Corners: []string{"Benchmark"},
		Rename: map[string]string{"Images/ID": "Images per ID", "QA/ID": "QA per ID"}},
	"table2": {
		Corners: []string{"Model", "Method"}, Grouped: true, Higher: []string{"ROUGE", "EM_r"},
		Lower: []string{"GPT", "EM_f", "Exp", "EM_t"},
		Note:  "Best is of the model size. Marks follow from the printed numbers.",
	},
	"table3": {Corners: []string{"Model"}},
	"table4": {Corners: []string{"Method"}, References: []string{"Base Model"},
		Higher: []string{"LLaVA-1.5-7B", "LLaVA-1.5-13B"}},
	"table5": {Corners: []string{"Benchmark"}},
	"table6": {Corners: []string{"Field"}},
	"table7": {Corners: []string{"Field"}},
	"table8": {Corners: []string{"Part"}},
	"table9": {Corners: []string{"Identity"}, Note: "Pictures, counted."},
}}
