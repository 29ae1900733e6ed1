package printed

var remem = paper{"ReMem", map[string]layout{
	"table1": {corners: []string{"Benchmark"},
		rename: map[string]string{"Images/ID": "Images per ID", "QA/ID": "QA per ID"}},
	"table2": {
		corners: []string{"Model", "Method"}, grouped: true, higher: []string{"ROUGE", "EM_r"},
		lower: []string{"GPT", "EM_f", "Exp", "EM_t"},
		note:  "Best is of the model size. Marks follow from the printed numbers.",
	},
	"table3": {corners: []string{"Model"}},
	"table4": {corners: []string{"Method"}, references: []string{"Base Model"},
		higher: []string{"LLaVA-1.5-7B", "LLaVA-1.5-13B"}},
	"table5": {corners: []string{"Benchmark"}},
	"table6": {corners: []string{"Field"}},
	"table7": {corners: []string{"Field"}},
	"table8": {corners: []string{"Part"}},
	"table9": {corners: []string{"Identity"}, note: "Pictures, counted."},
}}
