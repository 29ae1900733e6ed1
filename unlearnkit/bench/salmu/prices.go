package salmu

// Paces of the trials of what lower rates cost: factors on the rates of the study.
const (
	usualPace = 1
	tenthPace = 0.1
	// the rates have to that of pretraining the ratio that the paper's have
	paperPace = smallPeak / paperPeak / scale
)

// pairsBatch gives a pass over the rows to be forgotten as many steps as it has in the paper, nearly.
const pairsBatch = 6

// prices are the trials of what general knowledge costs at lower rates with more steps, in the first world.
//
// Where a loss is a mean over pairs, smaller batches give more steps a pass. Where it compares the pairs of a batch with
// each other another batch is another loss: there it stays, and more passes give more steps.
func prices(p Preset) []Trial {
	own := methods(variantBudget)
	at := func(name string, pace float64, budgets ...int) Method {
		m := named(own, name).faster(pace)
		m.Budgets = budgets
		return m
	}
	small := func(m Method) Method { return m.with("batch", pairsBatch) }
	one := func(title string, pace float64, methods ...Method) Trial {
		return Trial{Title: title, Worlds: 1, World: p.World, Factor: pace, Methods: methods}
	}
	return []Trial{
		one("the study's rates", usualPace, at("direct", usualPace, 2, 3, 4), at("delete", usualPace, 1, 2, 3, 4)),
		one("a tenth, more steps", tenthPace, small(at("direct", tenthPace, 1, 2, 3, 4, 5)),
			small(at("delete", tenthPace, 1, 2, 3, 4, 5)), at("finetuning", tenthPace, 10, 20, 30, 50)),
		one("the paper's ratio", paperPace, small(at("direct", paperPace, 5, 20)),
			small(at("delete", paperPace, 5, 20))),
	}
}
