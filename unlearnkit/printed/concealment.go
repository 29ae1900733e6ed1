package printed

var concealment = paper{"Unlearning or Concealment?", map[string]layout{
	"table1": {corners: []string{"Prompt"}},
	"table2": {corners: []string{"Prompt"}},
	"table3": {corners: []string{"Prompt"}},
	"table4": {corners: []string{"Prompt"}},
}}
