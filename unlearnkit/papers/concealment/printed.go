package concealment

import layouts "github.com/unlearnlab/unlearnlab/unlearnkit/printed"

// Printed holds the layouts of the paper's printed tables.
var Printed = layouts.Book{Paper: "concealment", Title: "Unlearning or Concealment?", Layouts: map[string]layouts.Layout{
	"table1": {Corners: []string{"Prompt"}},
	"table2": {Corners: []string{"Prompt"}},
	"table3": {Corners: []string{"Prompt"}},
	"table4": {Corners: []string{"Prompt"}},
}}
