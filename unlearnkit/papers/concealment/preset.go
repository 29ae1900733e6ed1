package concealment

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Preset determines the size of the study: its worlds, models, methods and attacks.
type Preset struct {
	Name    string
	Judge   JudgeSpec
	Base    BaseSpec // settings of the original; gold models are trained alike, without a concept
	Outputs []string // further kinds of network output, each trained once to show how it learns
	Seeds   int      // number of trainings of each method
	Methods []Method
	Prompts []concept.PaperPrompt
	Attack  AttackSpec
	Gate    int // number of pictures that the original draws for each gate prompt
	Each    int // number of pictures that every other model draws for each gate prompt
	// Look holds the sampling of pictures for the gate, if it differs from the attack's.
	Look    *Sampling
	Tries   Tries
	Lessons bool // also run the lessons, see [Preset.Lesson]
	// Originals is true if every training seed has its own original and gold models.
	Originals bool

	Controls Controls // set only in the preset "controls"
	// Waits is true if methods and concepts without a chosen setting are only tuned.
	Waits bool
	// CaptionsAlone is true if only claims in captions about a single diffusion step are judged.
	CaptionsAlone bool
	// Judged is the number of verdicts to correct for. It has no effect if the preset itself has more verdicts.
	Judged int
}

// Method is a method for erasing concepts, with its settings.
type Method struct {
	catalogue.Entry
	Variant string // suffix of the name if settings differ from mini's; "" in mini
	Erased  []string
	Values  map[string]float64 // settings that all runs share
	Rates   []float64          // learning rates to try
	Budgets []int
	Alone   bool // use only the concept's name as prompt, not many contexts
}

// Tries determines the pictures with which settings are chosen. If Forget is 0, no method is tuned.
type Tries struct {
	Forget, Retain int // numbers of pictures for the concept, and for other prompts
	Seed           uint64
}

// Controls determines a preset's control experiments. They test whether a verdict depends on the single gold model of a
// concept, or on the concept's word. Gold is trained again, gold is trained with the word in other contexts, and
// attacks are completed without the word.
type Controls struct {
	Concepts []string // the paper's names of concepts, the most doubtful verdicts first
	Golds    int      // number of additional gold models, trained like the study's own with other seeds
	Finishes bool     // also run attacks in which completing models get other prompts
	Moves    bool     // measure how far the weights of each erased model have moved
	// Except lists titles of methods that break the model. No control can change the verdicts on these methods.
	Except []string
	Judge  *JudgeSpec // settings of a second judge for the pictures that the study's attacks have stored
}

// additions names the presets that are additions to the study.
var additions = []string{"controls", "methods", "captions", "originals"}

// outputs maps the quantities that networks may predict to their names in tables.
var outputs = map[string]string{"sample": "x0", "v_prediction": "v", "epsilon": "epsilon"}

// TrainingSeeds names the unit of repetition.
var TrainingSeeds = certify.Repetitions{Singular: "training seed", Plural: "training seeds"}

// goldTrainings names the unit of repetition of a gold model that was trained more than once. Its trainings are
// independent of the methods' trainings.
var goldTrainings = certify.Repetitions{Singular: "training of gold", Plural: "trainings of gold"}

// uniqueName returns the method's name, which is unique within its preset.
func (m Method) uniqueName() string { return m.Name + m.Variant }

// goldTitle is the title of the model in Figure 4. It erases nothing, because it was not trained on the concept.
const goldTitle = "Gold"

// PaperPsi lists the paper's ratios ψ.
var PaperPsi = []string{".001", ".01", ".05", ".15", ".25", ".35", ".45", ".55"}

// ownPsi lists this study's ratios: the paper's, 0 and 1, at which a model draws alone, and two more. At these two,
// gold begins to draw concepts that it was not trained on.
var ownPsi = slices.Concat([]string{"0"}, PaperPsi, []string{".7", ".85", "1"})

// methods returns the paper's methods, with the concepts that they erase in the paper's tables. A pass over
// trajectories has only ten steps, so that budgets, which count passes, are fine-grained; a pass over anchors has thirty.
//
// As in their authors' code, ESD and SDD get only the concept's name as prompt, and Ablating Concepts gets it in many
// contexts. With the prompt "red house in swirl style", ESD unlearned houses too: fewer than half of the retained objects
// survived the erasure of the style. Ablating Concepts regularises on the anchors' pictures, with weight 1 as in
// diffusers' version. Without the regulariser, a quarter of the retained concepts was lost with the concept, and nearly
// all after a hundred more steps.
func methods() []Method {
	trajectories := map[string]float64{"batch": 8, "trajectories": 8, "stops": 10, "steps": 25, "guidance": 3}
	distilled := map[string]float64{"batch": 8, "trajectories": 8, "stops": 10, "steps": 25, "guidance": 3,
		"average": .97}
	anchors := map[string]float64{"batch": 8, "anchors": 240, "steps": 25, "guidance": 3, "regulariser": 1}
	entry := catalogue.Denoising.Entry
	ablating := entry("ablating-model")
	ablating.Title = "Ablating Concepts" // the paper has only one form of it
	return []Method{
		{
			Entry: entry("esd-x"), Erased: []string{"Van Gogh", "Killian Eng"}, Alone: true, Values: trajectories,
			Rates: []float64{5e-4, 1e-3, 2e-3}, Budgets: []int{1, 2, 3, 4, 6, 8, 12},
		},
		{
			Entry: entry("esd-u"), Erased: []string{"Nudity"}, Alone: true, Values: trajectories,
			Rates: []float64{2e-4, 5e-4, 1e-3}, Budgets: []int{1, 2, 3, 4, 6, 8, 12},
		},
		{
			Entry: ablating, Erased: []string{"Greg Rutkowski", "Grumpy Cat", "R2D2"}, Values: anchors,
			Rates: []float64{5e-4, 1e-3, 2e-3}, Budgets: []int{1, 2, 3, 4, 6, 8},
		},
		{
			Entry: entry("sdd"), Erased: []string{"Nudity", "Van Gogh"}, Alone: true, Values: distilled,
			Rates: []float64{5e-4, 1e-3, 2e-3}, Budgets: []int{2, 3, 4, 5, 6, 7, 8, 10},
		},
	}
}

// original returns the settings of the model from which all methods start.
func original() BaseSpec {
	return BaseSpec{
		World: World{concept.Small(0), concept.Revision},
		Network: Network{Channels: []int{32, 64, 96}, Attending: 1, Heads: 4, FeedForward: 2, Context: 64,
			Output: "sample", Halvings: 1, Low: .7, Detail: 1.5},
		Training: Training{Steps: 5000, Batch: 32, Rate: 2e-3, Warmup: 200, Decay: 1e-4, Clip: 1, Average: .995,
			Dropped: .1},
		Looks: []int{250, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000}, Each: 3,
		Sampling: Sampling{Solver: "ddim", Steps: 25, Guidance: 3},
	}
}

// seed returns the random seed of a training. If each seed has its own original, it skips the seeds of the further gold
// models of [Controlled], which were trained on another kind of processor.
func (p Preset) seed(training int) uint64 {
	if p.Originals && training > 0 {
		training += 2
	}
	return uint64(training)
}

// isAddition reports whether the preset is an addition to the study. Its runs are published together with the study's.
func (p Preset) isAddition() bool {
	return len(p.Controls.Concepts) > 0 || slices.Contains(additions, p.Name)
}

// Only returns the preset restricted to the given methods and their prompts, without lessons.
func (p Preset) Only(methods ...Method) Preset {
	p.Lessons = false
	return p.with(methods)
}

// with returns the preset with other methods and only their prompts.
func (p Preset) with(methods []Method) Preset {
	p.Methods = methods
	p.Prompts = slices.DeleteFunc(slices.Clone(p.Prompts), func(prompt concept.PaperPrompt) bool {
		return p.method(prompt.Method) == nil
	})
	return p
}

// names returns the names of the methods.
func (p Preset) names() (names []string) {
	for _, m := range p.Methods {
		names = append(names, m.Title)
	}
	return names
}

// without returns the preset without some methods.
func (p Preset) without(methods []string) Preset {
	return p.with(slices.DeleteFunc(slices.Clone(p.Methods), func(m Method) bool { return slices.Contains(methods, m.Title) }))
}

// judged returns the number of possible verdicts. There is one for each method and concept, and one for each method
// with several concepts.
func (p Preset) judged() (count int) {
	for _, m := range p.Methods {
		concepts := 0
		for _, erased := range m.Erased {
			if slices.ContainsFunc(p.Prompts, func(prompt concept.PaperPrompt) bool {
				return prompt.Forget && prompt.Method == m.Title && prompt.Erased == erased
			}) {
				concepts++
			}
		}
		count += concepts
		if concepts > 1 {
			count++
		}
	}
	return count
}

// method returns the method with the given title, or nil if the preset lacks it.
func (p Preset) method(title string) *Method {
	for i := range p.Methods {
		if p.Methods[i].Title == title {
			return &p.Methods[i]
		}
	}
	return nil
}

// erasures returns the erasures of the concepts in the preset's prompts and methods, in the order of
// [concept.Erasures].
func (p Preset) erasures() []concept.Erasure {
	wanted := map[string]bool{}
	for _, prompt := range p.Prompts {
		wanted[prompt.Erased] = true
	}
	for _, m := range p.Methods {
		for _, erased := range m.Erased {
			wanted[erased] = true
		}
	}
	return slices.DeleteFunc(concept.Erasures(), func(e concept.Erasure) bool { return !wanted[e.Paper] })
}

func (p Preset) uncontrolled() Preset {
	p.Controls = Controls{}
	return p
}
