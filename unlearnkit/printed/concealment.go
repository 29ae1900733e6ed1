package printed

var concealment = paper{"Unlearning or Concealment?", map[string]layout{
	"table1": {corner: "Prompt"},
	"table2": {corner: "Prompt"},
	"table3": {corner: "Prompt"},
	"table4": {corner: "Prompt"},
}}
