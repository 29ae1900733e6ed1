package concealment

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
)

// lessonLabel labels the runs of lessons, the small experiments in the tutorials.
const lessonLabel = "lesson"

// LessonPsi lists the ratios at which lessons attack.
var LessonPsi = []string{"0", ".2", ".4", ".6", ".8", "1"}

// smallSet is the number of pictures that each model draws alone if no score over sets of pictures is needed.
const smallSet = 40

// Lesson returns a preset that is small enough for experiments. A method with one training seed erases a painter's
// style. One prompt attacks the erased model and gold, with at most 39 pictures. Lessons do not use the scores of
// classifiers.
func (p Preset) Lesson(m Method, psi []string, by Sampling) Preset {
	m.Erased = []string{"Van Gogh"}
	prompt := p.Prompts[slices.IndexFunc(p.Prompts, func(prompt concept.PaperPrompt) bool {
		return prompt.Paper == "Starry Night by Van Gogh"
	})]
	prompt.Method = m.Title
	p.Methods, p.Prompts, p.Lessons = []Method{m}, []concept.PaperPrompt{prompt}, false
	p.Seeds, p.Outputs, p.Tries = 1, nil, Tries{}
	a := &p.Attack
	a.Psi, a.Sampling, a.Pictures, a.Set, a.Fit.Epochs = psi, by, min(a.Pictures, 39), min(a.Set, smallSet), 1
	return p
}

// Overdone returns the method with only its highest rate and its largest number of passes.
func Overdone(m Method) Method {
	m.Rates, m.Budgets = m.Rates[len(m.Rates)-1:], m.Budgets[len(m.Budgets)-1:]
	return m
}

// Samplers returns the samplers that lessons compare: the preset's, the sampler in the paper's text, and the sampler in
// its code.
func (p Preset) Samplers() []Sampling {
	noisy, code := p.Attack.Sampling, p.Attack.Sampling
	noisy.Eta, code.Solver = 1, "pndm"
	return []Sampling{p.Attack.Sampling, noisy, code}
}

// lessons adds the lessons of the preset. With each sampler, they attack the first method's model and gold. They also
// attack a model of the last method, overdone.
func (p *Plan) lessons() {
	lesson := func(m Method, by Sampling) *Plan {
		plan := NewPlan(p.Preset.Lesson(m, LessonPsi, by))
		for _, run := range plan.Runs() {
			run.Title = "lesson: " + run.Title
			run.Label(lessonLabel, "yes")
		}
		return plan
	}
	for _, by := range p.Preset.Samplers() {
		attacked := lesson(p.Preset.Methods[0], by).Attacked[0]
		p.Join(attacked.Unlearned[0], attacked.Gold)
	}
	destroyed := lesson(Overdone(p.Preset.Methods[len(p.Preset.Methods)-1]), p.Preset.Attack.Sampling)
	p.Join(destroyed.Attacked[0].Unlearned[0], destroyed.Pairs[0].Models[0].Look)
}
