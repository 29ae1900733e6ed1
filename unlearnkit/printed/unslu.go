package printed

// perDataset is the layout of Tables 1 to 3. Caption of Table 1: "closest to gold model for F1 and MIA, highest for
// others".
var perDataset = layout{
	corners: []string{"Method"}, references: []string{"Orig.", "Gold"}, target: "Gold",
	nearest: []string{"F1_T", "F1_F", "MIA"}, higher: []string{"GUM", "Speedup"},
	note: "Best is nearest to Gold for F1 and MIA, largest for GUM and speed-up. Marks " +
		"follow from the printed numbers.",
}

var unslu = paper{"UnSLU-BENCH", map[string]layout{
	"table1": perDataset,
	"table2": perDataset,
	"table3": perDataset,
	"table4": {corners: []string{"Method"}, references: []string{"Orig.", "Gold"}},
	"table5": {corners: []string{"Epochs"}},
}}
