package concealment

import "github.com/unlearnlab/unlearnlab/unlearnkit/study"

func (theStudy) About() string {
	return "A diffusion model is made to forget a concept, such as a painter's style. Has it, or is the concept " +
		"only hidden? The original begins a drawing, the erased model goes on, and what then comes back more than " +
		"in a model that was never shown the concept was hidden."
}

func (theStudy) Terms() []study.Item {
	return []study.Item{
		{Name: "ψ", About: "the share of a drawing's steps that the original makes: partial diffusion"},
		{Name: "Gold", About: "a model that was trained like the original but for the concept, which it was never " +
			"shown"},
		{Name: "ESD-x, ESD-u", About: "a method that teaches the model to draw away from the concept: in the " +
			"layers that read the prompt, and in the others"},
		{Name: "Ablating Concepts, SDD", About: "methods that teach it to draw something general instead, and to " +
			"be its own teacher of that"},
		{Name: "Forget, Retain", About: "prompts for what was erased, and for what stands near it and should be " +
			"left"},
		{Name: "CCS", About: "how sure a classifier is that a picture is the original's and not the erased model's"},
		{Name: "CRS", About: "how near a picture is to the original's, or in rows to forget to the erased " +
			"model's; by the paper's equations and by its code, which differ"},
		{Name: "KID-O, KID-U", About: "the distance of pictures from the original's, and from the erased model's"},
		{Name: "Alone", About: "the share of pictures that show the concept at ψ = 0, without help"},
		{Name: "Recovered", About: "the same share where the original helps, over ψ"},
		{Name: "Retained", About: "the share of other prompts that the model still obeys: one that obeys few is " +
			"damaged"},
	}
}
