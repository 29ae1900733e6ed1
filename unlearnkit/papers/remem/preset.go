package remem

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Preset determines the size of the study: its worlds, models, methods and training.
type Preset struct {
	Name       string
	Worlds     int          // number of worlds; each has its own people and runs
	First      int          // number of the first world
	People     profile.Spec // settings of the first world's people; the others differ in the seed
	Tower      TowerSpec    // settings of the vision tower, without its world
	Sizes      []SizePreset // sizes of models, the smaller first
	Forget     []int        // numbers of people to forget, in ascending order
	Methods    []Method
	Epochs     int             // epochs of unlearning
	Batch      int             // batch size of unlearning
	Choices    int             // number of multiple-choice questions
	Whole      bool            // also ask the base model about everybody
	Shapes     []profile.Shape // numbers and kinds of questions with which benchmarks teach about people
	Counts     []int           // numbers of questions about one person, Figures 3a and b
	EqualSteps bool            // whether lessons of Counts have equally many steps instead of equally many passes
	Shares     []int           // percentages of questions that name the person, Figure 3c
	Relearning RelearntSpec    // settings of relearning, without world and model
	Bits       []int
	Download   *Download // the paper's own data and models; nil for generated data
	Traced     int       // number of questions to trace
	// Judged is the number of verdicts to correct for, if it is larger than the preset's own number of sizes and methods.
	Judged int
	Looks  int // see [certify.Panel]; 0 if claims are decided once
}

// SizePreset holds the settings of one size of models.
type SizePreset struct {
	Name      string   // name of the size: S or L for generated data
	Model     string   // name of the paper's model that has this size's role
	Base      BaseSpec // settings of the base model, without world and tower
	Published string   // digest of the published model's files; empty if the base model is trained
	Teaching  Training
}

// cost returns the cost of a training relative to the smaller size.
func (s SizePreset) cost() float64 {
	if s.Published != "" {
		return 1000
	}
	return float64(s.Base.Size.Width*s.Base.Size.Width*s.Base.Size.Layers) / (96 * 96 * 4)
}

// baseCost returns the cost of training the base model, by its passes and questions. About 5,000 questions are about
// public people.
func (s SizePreset) baseCost() float64 {
	return s.cost() * float64(s.Base.Epochs*(5000+s.Base.Choices+s.Base.Refusals)) / 225
}

// Method is an unlearning method with a learning rate for each size of models.
type Method struct {
	catalogue.Entry
	Values map[string]float64
	Rates  map[string]float64 // learning rates by name of the size
}

// With returns the preset with additional methods at every size. Without a rate for a size, a method has its default.
func (p Preset) With(methods ...Method) Preset {
	p.Methods = append(slices.Clone(p.Methods), methods...)
	return p
}

// Only returns the preset restricted to the given methods.
func (p Preset) Only(methods ...Method) Preset {
	p.Methods = methods
	return p
}

// names returns the names of the methods.
func (p Preset) names() (names []string) {
	for _, m := range p.Methods {
		names = append(names, m.Name)
	}
	return names
}

// without returns the preset without some methods.
func (p Preset) without(methods []string) Preset {
	before := len(p.Methods)
	p.Methods = slices.DeleteFunc(slices.Clone(p.Methods), func(m Method) bool { return slices.Contains(methods, m.Name) })
	p.Judged = p.Judged / before * len(p.Methods) // verdicts that are not there are not corrected for
	return p
}

// world returns the settings of a world by its number. A download has only one world.
func (p Preset) world(number int) World {
	if p.Download != nil {
		return p.Download.world()
	}
	w := World{Spec: p.People, Revision: profile.Revision}
	w.Seed = uint64(p.First + number)
	return w
}

// judged returns the number of verdicts of a preset to correct for: one for each size, method and look.
func (p Preset) judged() int { return max(p.Judged, len(p.Sizes)*len(p.Methods)) * max(1, p.Looks) }

// oneRate reports whether all methods have the same learning rate.
func (p Preset) oneRate() bool {
	rates := map[float64]bool{}
	for _, m := range p.Methods {
		for _, rate := range m.Rates {
			rates[rate] = true
		}
	}
	return len(rates) == 1
}

// teaching returns the training for a lesson.
func (p Preset) teaching(size int, lesson Lesson) Training {
	t := p.Sizes[size].Teaching
	if p.EqualSteps && lesson.Alone {
		steps := func(questions int) int { return (questions + t.Batch - 1) / t.Batch }
		few := steps(lesson.Shape.Questions())
		t.Epochs = (t.Epochs*steps(slices.Max(p.Counts)) + few/2) / few
	}
	return t
}

// unknown returns the number of questions about strangers that models of a size are asked: ten for each attribute if
// the base model was trained to refuse them.
func (p Preset) unknown(size int) int {
	if p.Sizes[size].Base.Refusals == 0 {
		return 0
	}
	return 10 * len(profile.Attributes())
}

// options is the number of options in a multiple-choice question.
const options = 4
