package concealment

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Preset configures the size of the study.
type Preset struct {
	Name    string
	Judge   JudgeSpec
	Base    BaseSpec // the original; gold models are trained alike, in a world without a concept
	Outputs []string // further network outputs, each trained once to show how it learns to draw
	Seeds   int      // trainings of each method
	Methods []Method
	Prompts []concept.PaperPrompt
	Attack  AttackSpec
	Gate    int // pictures of each gate prompt by the original
	Each    int // pictures of each gate prompt by every other model
	// Look is the sampling of the gate's pictures, if it differs from the attack's.
	Look    *Sampling
	Tries   Tries
	Lessons bool // small lessons are run, too; see [Preset.Lesson]
	// Originals trains an original and gold models for every training seed.
	Originals bool

	Controls Controls // set only in the preset "controls"
	// Waits runs only the tuning of a method and concept until a setting is chosen for them.
	Waits bool
	// CaptionsAlone judges only the claims in captions about a single step.
	CaptionsAlone bool
	// Judged is the number of verdicts to correct for, if it exceeds the preset's own number.
	Judged int
}

// Method is a method of erasing concepts, with its settings.
type Method struct {
	catalogue.Entry
	Variant string // suffix for methods whose settings differ from mini's; "" in mini
	Erased  []string
	Values  map[string]float64 // values that all runs share
	Rates   []float64          // rates to try
	Budgets []int
	Alone   bool // the method gets only the concept's name as prompt
}

// Tries configures the pictures by which settings are chosen. If Forget is 0, no method is tuned.
type Tries struct {
	Forget, Retain int // pictures
	Seed           uint64
}

// Controls configures a preset's control experiments. They test whether a verdict depends on the one gold model of a
// concept, or on the concept's word. Gold is trained again, gold learns the word in other contexts, and attacks are
// finished without the word.
type Controls struct {
	Concepts []string // the paper's names, the most doubtful first; for each, one gold model has read the word
	Golds    int      // additional gold models, trained like the study's own with other seeds
	Finishes bool     // also attack every method and concept with other prompts for the completing models
	Moves    bool     // measure how far each erased model has moved
	// Except lists titles of methods that break the model, so that no control can change their verdicts.
	Except []string
	Judge  *JudgeSpec // a second judge for the pictures that the study's attacks have stored
}

// beside names the presets that ask further questions.
var beside = []string{"controls", "methods", "captions", "originals"}

// outputs names the outputs that networks may predict.
var outputs = map[string]string{"sample": "x0", "v_prediction": "v", "epsilon": "epsilon"}

// TrainingSeeds is the unit of repetition.
var TrainingSeeds = certify.Repetitions{Singular: "training seed", Plural: "training seeds"}

// GoldTrainings is the unit of repetition of a gold model that was trained more than once. Its trainings are
// independent of the methods' trainings.
var GoldTrainings = certify.Repetitions{Singular: "training of gold", Plural: "trainings of gold"}

// called returns the method's name within its preset.
func (m Method) called() string { return m.Name + m.Variant }

// goldTitle is the method of Figure 4, which erases nothing: its model has never seen the concept.
const goldTitle = "Gold"

// PaperPsi lists the ratios at which the paper evaluates.
var PaperPsi = []string{".001", ".01", ".05", ".15", ".25", ".35", ".45", ".55"}

// ownPsi lists this study's ratios: the paper's, 0 and 1 for each model alone, and two more. At these two, gold
// begins to draw what it has never seen.
var ownPsi = slices.Concat([]string{"0"}, PaperPsi, []string{".7", ".85", "1"})

// methods returns the methods with the concepts that the paper's tables have them erase. A pass over trajectories has
// ten steps, so that a method can be stopped between passes; a pass over anchors has thirty.
//
// As in their authors' code, ESD and SDD get only the concept's name as prompt, and Ablating Concepts gets it in many
// contexts. With the prompt "red house in swirl style", ESD unlearns houses too: less than half of the retained
// objects survived the erasure of the style. Ablating Concepts regularises on the anchors' pictures, with weight 1 as
// in diffusers' version. Without the regulariser, a quarter of the retained concepts was lost with the concept, and
// nearly all after a hundred more steps.
func methods() []Method {
	trajectories := map[string]float64{"batch": 8, "trajectories": 8, "stops": 10, "steps": 25, "guidance": 3}
	distilled := map[string]float64{"batch": 8, "trajectories": 8, "stops": 10, "steps": 25, "guidance": 3,
		"average": .97}
	anchors := map[string]float64{"batch": 8, "anchors": 240, "steps": 25, "guidance": 3, "regulariser": 1}
	entry := catalogue.Denoising.Entry
	ablating := entry("ablating-model")
	ablating.Title = "Ablating Concepts" // the paper runs one form of it
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

// original returns the spec of the model from which all methods start.
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

// seed returns the seed of a training. If each seed has its own original, seed skips the seeds of the further golds
// of [Controlled], which were trained on another kind of processor.
func (p Preset) seed(training int) uint64 {
	if p.Originals && training > 0 {
		training += 2
	}
	return uint64(training)
}

// beside reports whether the preset asks further questions about the study, whose runs are published with the study.
func (p Preset) beside() bool {
	return len(p.Controls.Concepts) > 0 || slices.Contains(beside, p.Name)
}

// Only restricts the study to the given methods and their prompts.
func (p Preset) Only(methods ...Method) Preset {
	p.Methods, p.Lessons = methods, false
	p.Prompts = slices.DeleteFunc(slices.Clone(p.Prompts), func(prompt concept.PaperPrompt) bool {
		return p.method(prompt.Method) == nil
	})
	return p
}

// judged returns the number of possible verdicts: one per method and concept, and one for each method with several
// concepts.
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

// method returns the method with a title, or nil if the preset does not have it.
func (p Preset) method(title string) *Method {
	for i := range p.Methods {
		if p.Methods[i].Title == title {
			return &p.Methods[i]
		}
	}
	return nil
}

// erasures returns the erasures of the preset's prompts and methods, in the order of [concept.Erasures].
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

// uncontrolled returns the preset of the study that the controls test: the same without controls.
func (p Preset) uncontrolled() Preset {
	p.Controls = Controls{}
	return p
}
