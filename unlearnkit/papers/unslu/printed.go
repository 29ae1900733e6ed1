package unslu

import layouts "github.com/unlearnlab/unlearnlab/unlearnkit/printed"

// perDataset is the layout of Tables 1 to 3. Table 1 ranks its columns in the caption: "closest to gold model for F1
// and MIA, highest for others".
var perDataset = layouts.Layout{
	Corners: []string{"Method"}, References: []string{"Orig.", "Gold"}, Target: "Gold",
	Nearest: []string{"F1_T", "F1_F", "MIA"}, Higher: []string{"GUM", "Speedup"},
	Note: "Best is nearest to Gold for F1 and MIA, largest for GUM and speed-up. Marks follow from the printed " +
		"numbers.",
}

// Printed holds the layouts of the paper's printed tables.
var Printed = layouts.Book{Paper: "unslu", Title: "UnSLU-BENCH", Layouts: map[string]layouts.Layout{
	"table1": perDataset,
	"table2": perDataset,
	"table3": perDataset,
	"table4": {Corners: []string{"Method"}, References: []string{"Orig.", "Gold"}},
	"table5": {Corners: []string{"Epochs"}},
}}
