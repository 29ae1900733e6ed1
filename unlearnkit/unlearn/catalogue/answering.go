package catalogue

// answering lists the methods for models that answer questions: first the methods of the benchmarks on forgetting
// people, in the order of ReMem (arXiv 2605.03759), then variants and baselines from other code bases.
//
// By default, all train adapters and the projector with AdamW, a warm-up and a cosine schedule. The default rate and
// batch size are ReMem's. Settings that the paper leaves open follow FIUBench's code (arXiv 2411.03554), whose results
// the paper reports.
func answering() []Entry {
	entries := []Entry{
		{Name: "gradient-ascent", Title: "GA", Source: "Jang et al., ACL 2023, as TOFU's code has it",
			Settings: answeringBy(2e-5, 0.06), Work: always(Work{Forget: 3})},
		{Name: "gradient-difference", Title: "GD", Source: "Liu et al., CoLLAs 2022, as TOFU's code has it",
			Settings: append(answeringBy(2e-5, 0.06), retainWeight()), Work: always(Work{Forget: 6})},
		{Name: "kl", Title: "KL", Source: "Maini et al., COLM 2024 (TOFU)",
			Settings: append(answeringBy(2e-5, 0.06), retainWeight(), divergencePlaces()),
			Work:     always(Work{Forget: 7})},
		{Name: "dpo", Title: "DPO", Source: "Rafailov et al., NeurIPS 2023, as the code of Zhang et al. has it",
			Settings: append(answeringBy(2e-5, 0.06), preferenceBeta(), plainPreference()),
			Work:     always(Work{Forget: 8})},
		{Name: "npo", Title: "NPO", Source: "Zhang et al., COLM 2024",
			Settings: append(answeringBy(2e-5, 0.06), preferenceBeta(), meanPreference()),
			Work:     always(Work{Forget: 4})},
		{Name: "po", Title: "PO", Source: "Maini et al., COLM 2024 (TOFU), as FIUBench's code has it",
			Settings: answeringBy(2e-5, 0.06), Work: always(Work{Forget: 6})},
		{Name: "gradient-difference-alternating", Title: "GD (alternating)", Passes: []int{1},
			Source:   "Liu et al., CoLLAs 2022, as MLLMU-Bench's code has it",
			Settings: append(answeringBy(2e-5, 0.06), alternations()), Work: workOfAlternation},
		{Name: "finetuning", Title: "Finetuning", Source: "Maini et al., COLM 2024 (TOFU)",
			Settings: answeringBy(5e-5, 0), Work: always(Work{Retain: 3})},
	}
	for i := range entries {
		entries[i].Version = 1
	}
	return withModality(Answering, entries)
}

const (
	answeringPaper = "arXiv 2605.03759"
	answeringCode  = "FIUBench's code"
)

// answeringBy returns the settings that every method has.
func answeringBy(rate, warmup float64) []Setting {
	return []Setting{
		learningRate(rate, answeringPaper),
		{"batch", 64, Count, "rows a step of each stream", answeringPaper},
		{"decay", 0.01, NotNegative, "weight decay of AdamW, except for biases and norms", answeringCode},
		{"clip", 1, NotNegative, "bound on the norm of all gradients, 0 for none", answeringCode},
		{"warmup", warmup, Share, "share of the steps in which the rate rises, before it falls along a cosine",
			answeringCode},
		{"whole", 0, Switch, "1 trains all weights, 0 only the adapters", answeringPaper},
		{"projector", 1, Switch, "1 also trains the projector from pictures to words, 0 freezes it", answeringCode},
	}
}

func retainWeight() Setting {
	return Setting{"retain-weight", 1, NotNegative, "weight of the loss on retained data", "TOFU's code"}
}

func divergencePlaces() Setting {
	return Setting{"answers", 0, Switch, "1 compares the models only at the tokens of answers, 0 at all tokens " +
		"including padding", "TOFU's code"}
}

func preferenceBeta() Setting {
	return Setting{"beta", 0.1, Positive, "how far the model may go from the one it was", "the code of Zhang et al."}
}

func plainPreference() Setting {
	return Setting{"plain", 0, Switch, "1 leaves out the factor 2/beta, as the original does",
		"the code of Zhang et al."}
}

func meanPreference() Setting {
	return Setting{"mean", 0, Switch, "1 takes the mean over a batch's tokens in place of each answer's sum, as " +
		"MLLMU-Bench's code does", "the code of Zhang et al."}
}

func alternations() Setting {
	return Setting{"epochs", 5, Range{1, 1000, true}, "passes over the forget set, each before one over the retain set",
		answeringPaper}
}

// workOfAlternation counts one gradient of every row in each epoch.
func workOfAlternation(setting func(string) float64) Work {
	return Work{Retain: 3 * setting("epochs"), Forget: 3 * setting("epochs")}
}
