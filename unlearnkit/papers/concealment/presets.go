package concealment

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Mini returns a preset with all experiments of the paper, in which each method is trained with five seeds.
func Mini() Preset {
	base := original()
	return Preset{
		Name: "mini", Base: base, Outputs: []string{"v_prediction", "epsilon"}, Seeds: 5, Methods: methods(),
		Prompts: concept.PaperPrompts(), Gate: 10, Each: 5,
		Judge: JudgeSpec{World: base.World, Blocks: []int{1, 1, 1}, Widths: []int{16, 32, 64}, Steps: 1500, Batch: 64,
			Rate: 3e-3, Warmup: 50, Decay: .01},
		Attack: AttackSpec{
			// 79 pictures and the published one fill two batches of forty
			Psi: ownPsi, Sampling: Sampling{Solver: "ddim", Steps: 20, Guidance: 3}, Pictures: 79, Set: 160,
			Fit: Fit{Epochs: 10, Batch: 32, Rate: 1e-3, Momentum: .9, Margin: 1, Held: .2, Subsets: 100},
		},
		Tries: Tries{Forget: 60, Retain: 60, Seed: 1000}, Lessons: true,
	}
}

// Quick returns a preset for a first look. It has the first training seed of [Mini], without tuning and without other
// kinds of network output.
func Quick() Preset {
	p := Mini()
	p.Name, p.Outputs, p.Seeds, p.Tries, p.Lessons = "quick", nil, 1, Tries{}, false
	return p
}

// Smoke returns a preset that runs every stage in seconds. Its models can hardly draw, and its numbers are meaningless.
func Smoke() Preset {
	p := Mini()
	p.Name, p.Outputs, p.Seeds, p.Gate, p.Each, p.Lessons = "smoke", p.Outputs[:1], 1, 1, 1, false
	p.Base.World.Train, p.Base.World.ClassifierTrain, p.Base.World.ClassifierTest = 96, 64, 32
	p.Base.Network.Channels, p.Base.Network.Heads, p.Base.Network.Context = []int{8, 16}, 2, 16
	p.Base.Training = Training{Steps: 6, Batch: 8, Rate: 2e-3, Warmup: 2, Decay: 1e-4, Clip: 1, Average: .5,
		Dropped: .1}
	p.Base.Looks, p.Base.Each, p.Base.Sampling.Steps = []int{3, 6}, 1, 2
	p.Judge = JudgeSpec{World: p.Base.World, Blocks: []int{1, 1, 1}, Widths: []int{4, 8, 8}, Steps: 6, Batch: 16,
		Rate: 3e-3, Warmup: 1, Decay: .01}
	p.Attack.Psi, p.Attack.Sampling.Steps, p.Attack.Pictures, p.Attack.Set = []string{"0", ".25", ".55", "1"}, 4, 4, 10
	p.Attack.Fit.Epochs, p.Attack.Fit.Batch, p.Attack.Fit.Subsets = 1, 8, 4
	p.Tries.Forget, p.Tries.Retain = 4, 4
	for i := range p.Methods {
		m := &p.Methods[i]
		m.Erased, m.Rates, m.Budgets = m.Erased[:1], m.Rates[1:2], []int{1}
		m.Values = map[string]float64{"batch": 4, "steps": 2, "guidance": 3}
		if m.Name == "ablating-model" {
			m.Values["anchors"] = 8
		} else {
			m.Values["trajectories"], m.Values["stops"] = 4, 2
		}
	}
	p.Methods = []Method{p.Methods[0], p.Methods[2]}
	p.Methods[1].Erased = []string{"Grumpy Cat"}
	p.Prompts = slices.DeleteFunc(p.Prompts, func(prompt concept.PaperPrompt) bool {
		return !slices.Contains([]string{"Starry Night by Van Gogh", "A VERY grumpy dog"}, prompt.Paper)
	})
	return p
}

// presets returns all presets: first the sizes of the study, then the additions to the study.
func presets() []Preset {
	return []Preset{Smoke(), Quick(), Mini(), Controlled(), Wider(), Captions(), Originals()}
}

// Named returns the preset called name.
func Named(name string) (Preset, error) {
	return study.Named("concealment", name, presets(), func(p Preset) string { return p.Name }, "")
}

// Controlled returns [Mini] with controls of its verdicts. It lists first the concepts whose verdicts depend most on
// the controls: the two that are concealed, the one that a model shows unaided although help recovers no more of it
// than from gold, and those whose erasure is uncertain.
func Controlled() Preset {
	p := Mini()
	p.Name = "controls"
	judge := p.Judge
	judge.Noise, judge.Seed = .3, 1
	p.Controls = Controls{
		Concepts: []string{"Greg Rutkowski", "Killian Eng", "Van Gogh", "R2D2", "Grumpy Cat", "Nudity"},
		Golds:    2, Finishes: true, Moves: true, Except: []string{"SDD"}, Judge: &judge,
	}
	return p
}

// Wider returns a preset with other settings of the methods in [Mini], and with other forms of these methods. Each
// method and concept is first tuned; it is run after the chosen setting has been added to settings. Verdicts are
// corrected for all possible verdicts of this preset and the study, even if only some of them are computed.
func Wider() Preset {
	p := Mini()
	p.Name, p.Outputs, p.Lessons, p.Waits = "methods", nil, false, true
	p.Methods, p.Prompts = nil, nil
	own := methods()
	esd, ablating, sdd := own[0], own[2], own[3]
	form := func(from Method, title, variant string, change func(*Method)) {
		family := from.Title
		from.Title, from.Variant = title, variant
		change(&from)
		p.Methods = append(p.Methods, from)
		p.ask(family, title, from.Erased)
	}
	// The rates are ten to thirty times the authors' .00001, because small networks need higher rates. The moving
	// average is the authors' and covers a thousand steps.
	form(sdd, "SDD, average .999", "/slow", func(m *Method) {
		m.Values = map[string]float64{"batch": 8, "trajectories": 8, "stops": 10, "steps": 25, "guidance": 3,
			"average": .999}
		m.Rates, m.Budgets = []float64{1e-4, 2e-4, 3e-4}, []int{25, 50, 75, 100, 150, 200}
	})
	form(esd, "ESD-x, longer", "/longer", func(m *Method) {
		m.Erased = m.Erased[:1]
		m.Rates, m.Budgets = []float64{5e-4, 1e-3}, []int{12, 16, 20, 24, 32, 40}
	})
	// Up to .002, no setting erased Van Gogh enough, and nothing else was lost. Therefore .004 is tried as well.
	form(esd, "ESD-x, newer", "", func(m *Method) {
		m.Entry = catalogue.Denoising.Entry("esd-x-newer")
		m.Title = "ESD-x, newer"
		m.Rates, m.Budgets = []float64{5e-4, 1e-3, 2e-3, 4e-3}, []int{1, 2, 4, 6, 8, 12, 16, 24}
	})
	form(ablating, "Ablating Concepts, noise", "", func(m *Method) {
		m.Entry = catalogue.Denoising.Entry("ablating-noise")
		m.Title = "Ablating Concepts, noise"
	})
	// "Van Gogh the artist" is a retain prompt, but the small models draw a swirl for "swirl artist". Without the
	// style's word they do not.
	esd.Erased = esd.Erased[:1]
	p.Methods = append(p.Methods, esd)
	p.Prompts = append(p.Prompts, concept.PaperPrompt{Table: 1, Method: esd.Title, Erased: "Van Gogh",
		Paper: "Van Gogh the artist", Prompt: "artist"})
	p.Judged = Mini().judged() + p.judged()
	return p
}

// ask adds attacks on a form of a method. It uses the prompts for the erased concepts that the paper has for the
// original form.
func (p *Preset) ask(family, title string, erased []string) {
	for _, prompt := range concept.PaperPrompts() {
		if prompt.Method == family && prompt.Forget && slices.Contains(erased, prompt.Erased) {
			prompt.Method, prompt.Figure = title, 0
			p.Prompts = append(p.Prompts, prompt)
		}
	}
}

// Captions returns a preset with the prompts whose captions are about ψ = .01. At this ratio the paper's original takes
// one of a hundred steps, so the attacks also have a hundred steps. The preset measures how often pictures show the
// concept, but no scores over sets of pictures. The models' own pictures are the same as in [Mini].
func Captions() Preset {
	p := Mini()
	look := p.Attack.Sampling
	p.Look, p.CaptionsAlone = &look, true
	p.Name, p.Outputs, p.Tries, p.Lessons = "captions", nil, Tries{}, false
	p.Attack.Sampling.Steps, p.Attack.Psi, p.Attack.Set = paperSteps, []string{"0", ".01"}, smallSet
	p.Prompts = slices.DeleteFunc(p.Prompts, func(prompt concept.PaperPrompt) bool {
		return !slices.ContainsFunc(generated(), func(c caption) bool {
			return c.number == prompt.Figure && ofOneStep(c)
		})
	})
	var of []selection
	for _, prompt := range p.Prompts {
		of = append(of, selection{prompt.Method, prompt.Erased})
	}
	return p.restricted(of)
}

// Originals returns a preset that repeats [Mini] with other originals. Every training seed has its own original, gold
// models and erasures.
//
// The preset has the two concepts that are concealed in mini. It adds one unresolved concept: of those with a valid
// judge, the one whose excess is nearest to a fifth. The first training seed is the same as in mini. Nothing is tuned,
// because settings are mini's. Verdicts are corrected for as many verdicts as in mini.
func Originals() Preset {
	p := Mini()
	p.Name, p.Originals, p.Outputs, p.Tries, p.Lessons = "originals", true, nil, Tries{}, false
	p.Judged = Mini().judged()
	p = p.restricted([]selection{{"Ablating Concepts", "Greg Rutkowski"}, {"ESD-x", "Killian Eng"},
		{"Ablating Concepts", "R2D2"}})
	p.Prompts = slices.DeleteFunc(p.Prompts, func(prompt concept.PaperPrompt) bool { return !prompt.Forget })
	return p
}
