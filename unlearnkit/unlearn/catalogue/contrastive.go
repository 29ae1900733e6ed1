package catalogue

// contrastive lists SALMUBench's methods, with the names and in the order of its tables.
func contrastive() []Entry {
	const appendix, sameAsFinetuning = "SALMUBench, appendix", "the rate of Finetuning"
	const adapted = ", as adapted by SALMUBench"
	pairs := func(batch float64, source string) Setting {
		return Setting{"batch", batch, Count, "rows a step of each stream", source}
	}
	decay := func(value float64, source string) Setting {
		return Setting{"decay", value, NotNegative, "weight decay of AdamW", source}
	}
	steps := func(rate float64) []Setting {
		return []Setting{learningRate(rate, appendix), pairs(256, appendix),
			decay(0.01, "PyTorch's default; the paper names none")}
	}
	longer := []int{5, 10, 15, 20}
	entries := []Entry{
		{Name: "generic", Title: "Generic Captions", Version: 1, Source: "SALMUBench", Settings: steps(3e-7)},
		{Name: "shuffled", Title: "Shuffled Captions", Version: 1, Source: "SALMUBench", Settings: steps(5e-7)},
		{Name: "direct", Title: "Direct Similarity Minimization", Version: 1, Source: "SALMUBench",
			Settings: steps(3e-8)},
		{Name: "negative", Title: "Negative Gradient", Version: 1, Source: "SALMUBench", Settings: steps(3e-8)},
		{
			Name: "finetuning", Title: "Finetuning", Version: 1, Source: "SALMUBench",
			Settings: []Setting{learningRate(5e-7, appendix), pairs(32, appendix), decay(0.001, appendix)},
		},
		{
			Name: "descent-to-delete", Title: "Descent to Delete", Version: 1, Passes: []int{1},
			Source: "Neel et al., Algorithmic Learning Theory 2021, as MultiDelete's code runs it",
			Settings: []Setting{
				learningRate(5e-7, appendix), pairs(32, sameAsFinetuning), decay(0.001, sameAsFinetuning),
				{"strength", 0.2, Positive, "strong convexity of the loss, as its weight decay makes it",
					"the weight decay with which OpenCLIP trains"},
				{"examples", 4e8, Positive, "number of examples of which one is forgotten",
					"the rows on which the models were trained"},
			},
		},
		{
			Name: "vlunlearn", Title: "VLUnlearn", Version: 1, Passes: longer,
			Source: "Cheng and Amiri, ECCV 2024" + adapted,
			Settings: []Setting{
				learningRate(1e-5, appendix), pairs(16, "MultiDelete's code: 32 rows, half of each set"),
				decay(0.02, "MultiDelete's code"),
				{"epochs", 20, Positive, "passes in which the rate falls to zero along half a cosine",
					"the longest budget"},
				{"retrieval", 0, Switch, "1 compares matrices of cosines when pairs are decoupled",
					"SALMUBench's wording"},
			},
		},
		{Name: "delete", Title: "DELETE", Version: 1, Source: "Zhou et al., CVPR 2025" + adapted,
			Settings: steps(3e-8), Passes: longer},
		{Name: "cliperase", Title: "CLIPERase", Version: 1, Source: "Yang et al., ACL 2025" + adapted,
			Settings: steps(3e-8), Passes: longer},
	}
	return withModality(Contrastive, entries)
}
