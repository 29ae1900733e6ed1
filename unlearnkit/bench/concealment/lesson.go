package concealment

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
)

// LessonPsi are the ratios of lessons.
var LessonPsi = []string{"0", ".2", ".4", ".6", ".8", "1"}

// Lesson is a study that is small enough to turn knobs in: a method with one training seed erases a painter's style, and one prompt attacks what it leaves, and gold beside it, with half of the preset's pictures. What
// classifiers say of those is not looked at.
func (p Preset) Lesson(m Method, psi []string, by Sampling) Preset {
	m.Erased = []string{"Van Gogh"}
	p = p.Only(m)
	p.Prompts = slices.DeleteFunc(p.Prompts, func(prompt concept.PaperPrompt) bool { return prompt.Paper != "Starry Night by Van Gogh" })
	p.Seeds, p.Outputs, p.Tries = 1, nil, Tries{}
	a := &p.Attack
	a.Psi, a.Sampling, a.Pictures, a.Set, a.Fit.Epochs = psi, by, min(a.Pictures, 39), min(a.Set, 40), 1
	return p
}

// Harsh is a method whose rate is far beyond all that it tries, so that it leaves no model that draws.
func Harsh(m Method) Method {
	m.Rates, m.Budgets = []float64{50 * m.Rates[0]}, m.Budgets[:1]
	return m
}

// Samplers are the ways to draw that lessons compare: the preset's, the one that the paper's text describes, and the one that its code ran.
func (p Preset) Samplers() []Sampling {
	noisy, code := p.Attack.Sampling, p.Attack.Sampling
	noisy.Eta, code.Solver = 1, "pndm"
	return []Sampling{p.Attack.Sampling, noisy, code}
}

// lessons are those that the preset has ready: attacks in every way to draw, and what is left by the first method and by one that destroys.
func (p *Plan) lessons(maker Maker) {
	esd := p.Preset.Methods[0]
	study := func(m Method, by Sampling) *Plan { return NewPlan(p.Preset.Lesson(m, LessonPsi, by), maker) }
	for _, by := range p.Preset.Samplers() {
		attacked := study(esd, by).Attacked[0]
		p.Join(attacked.Unlearned[0], attacked.Gold)
	}
	harsh := study(Harsh(esd), p.Preset.Attack.Sampling)
	p.Join(harsh.Attacked[0].Unlearned[0], harsh.Pairs[0].Models[0].Look)
}
