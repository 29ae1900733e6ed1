package catalogue

import "slices"

// denoising lists the methods of "Unlearning or Concealment?".
func denoising() []Entry {
	const older, newer = "official code, older release", "official code, newer release"
	entries := []Entry{
		esd("esd-x", "ESD-x", 1e-5, older), esd("esd-u", "ESD-u", 1e-5, older),
		esd("esd-x-newer", "ESD-x (newer release)", 5e-5, newer),
		esd("esd-u-newer", "ESD-u (newer release)", 5e-5, newer),
	}
	for _, target := range []string{"model", "noise"} {
		entries = append(entries,
			ablating(target, "", "", learningRate(1.6e-5, "official code: 2e-6 times a batch of 4 on 2 devices")),
			ablating(target, "-embedding", ", embedding", learningRate(1e-5,
				"the order of the official code's, which is larger than the rate of the weights")),
			ablating(target, "-full", ", full weights", learningRate(5e-7,
				"official code, which trains all weights to forget memorised pictures")))
	}
	return withModality(Denoising, append(entries, sdd()))
}

// drawnTrajectories returns the settings of methods that learn from samples between noise and picture; the papers' code
// draws one sample for each step.
func drawnTrajectories() []Setting {
	return []Setting{
		{"trajectories", 1, Count, "trajectories drawn at the beginning of a pass",
			"one for each step in the official code"},
		{"stops", 1, Count, "samples kept of each trajectory, which are the rows of a pass",
			"one for each step in the official code"},
		{"steps", 50, Count, "steps of a trajectory, by DDIM without added noise", "official code"},
		{"guidance", 3, Range{}, "classifier-free guidance of the trajectories", "official code"},
	}
}

func rowsOfAStep(value float64, source string) Setting {
	return Setting{"batch", value, Count, "rows a step", source}
}

func esd(name, title string, rate float64, release string) Entry {
	return Entry{
		Name: name, Title: title, Version: 1, Source: "Gandikota et al., ICCV 2023; " + release,
		Settings: slices.Concat([]Setting{
			learningRate(rate, release), rowsOfAStep(1, release),
			{"eta", 1, Range{}, "how far the prediction is led away from the concept", release},
		}, drawnTrajectories()),
	}
}

func ablating(target, group, title string, rate Setting) Entry {
	const code, own = "official code", "Stable Diffusion's; the paper names none"
	return Entry{
		Name:    "ablating-" + target + group,
		Title:   "Ablating Concepts (" + target + "-based" + title + ")",
		Version: 1, Source: "Kumari et al., ICCV 2023; official code",
		Settings: []Setting{
			rate, rowsOfAStep(8, "official code: 4 on 2 devices"),
			{"decay", 0.01, NotNegative, "weight decay of AdamW", code},
			{"clip", 1, NotNegative, "bound on the norm of all gradients, 0 for none", code},
			{"regulariser", 0, NotNegative, "weight of the loss that keeps the anchor",
				"official code; 0.2 where the words of concept and anchor overlap"},
			{"anchors", 800, Count, "pictures of the anchor, which are a pass",
				"official code: 1000 pictures; 100 steps, a pass, see as many"},
			{"steps", 50, Count, "steps in which a picture is drawn", own},
			{"guidance", 7.5, Range{}, "classifier-free guidance of the pictures", own},
		},
	}
}

func sdd() Entry {
	const code = "official code"
	return Entry{
		Name: "sdd", Title: "SDD", Version: 1,
		Source: "Kim et al., ICML 2023 workshop on deployable generative models; official code",
		Settings: slices.Concat([]Setting{
			learningRate(1e-5, code), rowsOfAStep(1, code),
			{"decay", 1e-4, NotNegative, "weight decay of AdamW", code},
			{"clip", 1, NotNegative, "bound on the norm of all gradients, 0 for none", code},
			{"average", 0.999, Share, "decay of the moving average that is the model", code},
		}, drawnTrajectories()),
	}
}
