package concealment

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
)

// lessonLabel labels the runs that lessons look at.
const lessonLabel = "lesson"

// LessonPsi are the ratios of lessons.
var LessonPsi = []string{"0", ".2", ".4", ".6", ".8", "1"}

// smallSet is how many pictures either model draws alone where no score of sets is looked at.
const smallSet = 40

// Lesson is a study that is small enough to turn knobs in: a method with one training seed erases a painter's style,
// and one prompt attacks what it leaves, and gold beside it, with half of the preset's pictures. What classifiers say
// of those is not looked at.
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

// Overdone is a method at the highest rate that it tries, for the most passes.
func Overdone(m Method) Method {
	m.Rates, m.Budgets = m.Rates[len(m.Rates)-1:], m.Budgets[len(m.Budgets)-1:]
	return m
}

// Samplers are the ways to draw that lessons compare: the preset's, the one that the paper's text describes, and the
// one that its code ran.
func (p Preset) Samplers() []Sampling {
	noisy, code := p.Attack.Sampling, p.Attack.Sampling
	noisy.Eta, code.Solver = 1, "pndm"
	return []Sampling{p.Attack.Sampling, noisy, code}
}

// lessons are those that the preset has ready: attacks in every way to draw on what is left by the first method and on
// gold, and one on what is left by the last method, overdone.
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
