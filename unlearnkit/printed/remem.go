package printed

var remem = paper{"ReMem", map[string]layout{
	"table1": {corner: "Benchmark",
		rename: map[string]string{"Images/ID": "Images per ID", "QA/ID": "QA per ID"}},
	"table2": {
		corner: "Model/Method", grouped: true, higher: []string{"ROUGE", "EM_r"},
		lower: []string{"GPT", "EM_f", "Exp", "EM_t"},
		note:  "Best is of the model size. Marks follow from the printed numbers.",
	},
	"table3": {corner: "Model"},
	"table4": {corner: "Method", references: []string{"Base Model"},
		higher: []string{"LLaVA-1.5-7B", "LLaVA-1.5-13B"}},
	"table5": {corner: "Benchmark"},
	"table6": {corner: "Field"},
	"table7": {corner: "Field"},
	"table8": {corner: "Part"},
	"table9": {corner: "Identity", note: "Pictures, counted."},
}}
