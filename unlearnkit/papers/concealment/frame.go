package concealment

import (
	"fmt"
	"slices"
	"strconv"
)

// Frame compares the models' size, training and concepts with the paper's.
func (r *Results) Frame() string {
	size := ""
	if n := r.parameters(); n > 0 {
		size = fmt.Sprintf("The UNet has %.2g million parameters, the UNet of Stable Diffusion 1.4 has %.4g. ",
			float64(n)/1e6, paperParameters)
	}
	var original share
	for _, view := range slices.Concat(r.originals()...) {
		original.add(view.obeyed())
	}
	obeys := "The original obeys"
	whose := "All trainings of a method start from one original, which also makes the first steps of every " +
		"attack, so the results do not show how other originals would behave; the preset originals has five for " +
		"some of the concepts."
	if len(r.further) > 0 {
		obeys = "Originals obey"
		whose = "Every training seed has its own original, gold models and erasure, and that original makes " +
			"the first steps of its attacks. All share the training pictures and the judge."
	}
	return size + fmt.Sprintf("Drawn objects, textures and styles replace photographs and painters: spots stand for "+
		"nudity, swirls for Van Gogh. %s %.0f %% of prompts. %s", obeys, 100*original.share(), whose)
}

// paperParameters is the number of parameters in Stable Diffusion 1.4's UNet, in millions.
const paperParameters = 859.520964

// parameters returns the number of parameters of the original, or 0 if it is unknown.
func (r *Results) parameters() (count int) {
	if r.plan == nil {
		return 0
	}
	if made, err := r.store.Get(r.plan.Original.Run.Key()); err == nil {
		count, _ = strconv.Atoi(string(made.Manifest.Notes["parameters"])) // 0 if the note is missing
	}
	return count
}

// trainingsText describes how many trainings of a method there are, and that all start from one original if they do.
func (r *Results) trainingsText() string {
	text := TrainingSeeds.Count(r.Preset.Seeds)
	if len(r.further) == 0 {
		text += " of one original"
	}
	return text
}
