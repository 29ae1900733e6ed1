package catalogue

// benchmark is the paper from whose code the settings of methods for classifiers are taken.
const benchmark = "UnSLU-BENCH"

// classifying lists UnSLU-BENCH's methods, with the names and in the order of its tables.
//
// All use AdamW with PyTorch's moments and a constant rate. The default is the one of the paper's three rates that was
// best most often over its ten pairs of a data set and a model.
func classifying() []Entry {
	const adapted = ", as " + benchmark + "'s code has it"
	small, large := []float64{5e-7, 1e-6, 5e-6}, []float64{1e-5, 5e-5, 1e-4}
	entries := []Entry{
		{Name: "finetuning", Title: "FT", Rates: large, Source: benchmark, Settings: descentBy(1e-4),
			Work: always(Work{Retain: 3})},
		{Name: "negative", Title: "NG", Rates: small, Source: "Golatkar et al., CVPR 2020" + adapted,
			Settings: append(descentBy(5e-6), clipped()), Work: always(Work{Forget: 3})},
		{Name: "negative-plus", Title: "NG+", Rates: small, Source: "Kurmanji et al., NeurIPS 2023" + adapted,
			Settings: append(descentBy(1e-6), weightsOfNegativePlus()...), Work: always(Work{Retain: 6})},
		{Name: "cf-k", Title: "CF-k", Rates: large, Source: "Goel et al., arXiv 2201.06640" + adapted,
			Settings: append(descentBy(1e-4), lastParts()), Work: workOfLastParts},
		{Name: "unsir", Title: "UNSIR", Rates: large, Passes: []int{1},
			Source:   "Tarun et al., TNNLS 2023, in the sample-wise form of Choi and Na" + adapted,
			Settings: append(descentBy(1e-5), unsir()...), Work: workOfUNSIR},
		{Name: "bad-teaching", Title: "BT", Rates: small, Source: "Chundawat et al., AAAI 2023" + adapted,
			Settings: append(descentBy(1e-6), badTeaching()...), Work: always(Work{Retain: 5, Forget: 5})},
		{Name: "bad-teaching-light", Title: "BT-L", Rates: small, Source: benchmark,
			Settings: append(descentBy(1e-6), badTeaching()...), Work: always(Work{Retain: 4, Forget: 4})},
		{Name: "scrub", Title: "SCRUB", Rates: small, Passes: []int{1},
			Source:   "Kurmanji et al., NeurIPS 2023" + adapted,
			Settings: append(descentBy(5e-6), scrub()...), Work: workOfSCRUB},
	}
	for i := range entries {
		entries[i].Version = 1
	}
	return withModality(Classifying, entries)
}

// descentBy returns the settings that every method has.
func descentBy(rate float64) []Setting {
	return []Setting{
		learningRate(rate, benchmark+", the rate that is best most often"),
		{"batch", 8, Count, "rows a step of each stream", benchmark},
		{"decay", 0.01, NotNegative, "weight decay of AdamW", benchmark + "'s code"},
	}
}

func clipped() Setting {
	return Setting{"clip", 1, NotNegative, "bound on the norm of all gradients, 0 for none", benchmark + "'s code"}
}

func weightsOfNegativePlus() []Setting {
	const source = benchmark + "'s code; the original mixes the two by α and 1 - α"
	return []Setting{
		{"retain-weight", 1, NotNegative, "weight of the loss on the retain set, which is descended", source},
		{"forget-weight", 1, NotNegative, "weight of the loss on the forget set, which is climbed", source},
	}
}

func lastParts() Setting {
	return Setting{"layers", 1, Count, "parts of the model that are trained, counted from the last",
		benchmark + "'s code"}
}

func unsir() []Setting {
	const code = benchmark + "'s code"
	return []Setting{
		{"noise-steps", 5, Range{1, 100, true}, "steps that move noise away from the data to forget", code},
		{"noise-rate", 0.01, Positive, "learning rate of those steps", code},
		{"repair-adam", 0, Switch, "1 repairs by Adam, as the original does, instead of plain descent", code},
	}
}

func badTeaching() []Setting {
	const code = benchmark + "'s code"
	return []Setting{
		{"temperature", 1, Positive, "divides the logits before they are compared", code},
		{"class-mean", 0, Switch, "1 averages over classes too, as the original's loss does", code},
	}
}

func scrub() []Setting {
	const code = benchmark + "'s code"
	return []Setting{
		{"temperature", 4, Positive, "divides the logits before they are compared", code},
		{"gamma", 1, NotNegative, "weight of the cross-entropy on the retain set", code + "; the original has 0.99"},
		{"alpha", 1, NotNegative, "weight of the distance from the teacher on the retain set",
			code + "; the original has 0.001"},
		{"epochs", 1, Range{1, 1000, true}, "passes over the retain set", code + "; the original has 3 or 10"},
		{"msteps", 1, Range{1, 1000, true}, "of them those with a pass over the forget set, the first ones",
			code + "; the original has 2 or 3"},
		{"maximise-first", 0, Switch, "1 begins each epoch with the forget set, as the original does", code},
		{"sgd", 0, Switch, "1 descends by SGD with momentum, as the original does for large models", code},
		{"momentum", 0.9, Share, "momentum of SGD", "the original's code"},
		{"training", 1, Switch, "1 disturbs the student as in training, by dropout and the model's other noise", code},
	}
}

// always returns the work function of a method whose work does not depend on settings.
func always(w Work) func(func(string) float64) Work {
	return func(func(string) float64) Work { return w }
}

// workOfLastParts counts gradients if they reach the backbone, the third part from the end of a classifier whose head
// is a projection and a linear layer. The cost of the head's own gradients is negligible.
func workOfLastParts(setting func(string) float64) Work {
	if setting("layers") > 2 {
		return Work{Retain: 3}
	}
	return Work{Retain: 1}
}

// workOfUNSIR counts, for each row of the shorter set and each step of the noise, a gradient with respect to the noise
// and the logits of the row to forget. Then it counts a gradient for the noise and one for the row to keep; the repair
// goes over the retain set. The logits do not change, so package classifying computes them once. The paper's code,
// whose time is counted here, computes them in each step.
func workOfUNSIR(setting func(string) float64) Work {
	return Work{Retain: 3, Forget: 6 + 4*setting("noise-steps")}
}

// workOfSCRUB counts a gradient and the teacher's logits for every row.
func workOfSCRUB(setting func(string) float64) Work {
	return Work{Retain: 4 * setting("epochs"), Forget: 4 * setting("msteps")}
}
