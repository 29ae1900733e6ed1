package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Preset configures the size of the study.
type Preset struct {
	Name       string
	Worlds     int          // each with its own people and runs
	First      int          // number of the first world
	People     profile.Spec // of world 0
	Tower      TowerSpec    // without its world
	Sizes      []SizePreset // the smaller first
	Forget     []int        // numbers of people, rising
	Methods    []Method
	Epochs     int             // epochs of unlearning
	Batch      int             // batch size of unlearning
	Choices    int             // multiple-choice questions
	Whole      bool            // the base model is also asked about everybody
	Shapes     []profile.Shape // shapes of teaching, to compare benchmarks
	Counts     []int           // numbers of questions, Figures 3a and b
	Shares     []int           // percentages of questions by name, Figure 3c
	Relearning RelearntSpec    // without world and model
	Bits       []int
	Download   *Download // the paper's own data and models; nil in small worlds
	Traced     int       // number of questions to trace
}

// SizePreset configures one size of models.
type SizePreset struct {
	Name      string   // S or L
	Model     string   // the paper's model that this size replaces
	Base      BaseSpec // without world and tower
	Published string   // digest of a published model's files; empty if a base is trained
	Teaching  Training
}

// cost returns the cost of a training relative to the smaller size.
func (s SizePreset) cost() float64 {
	if s.Published != "" {
		return 1000
	}
	return float64(s.Base.Size.Width*s.Base.Size.Width*s.Base.Size.Layers) / (96 * 96 * 4)
}

// Method is a row of a table: an unlearning method with a rate for each size.
type Method struct {
	catalogue.Entry
	Values map[string]float64
	Rates  map[string]float64 // by size name
}

// world returns the world with the given number. A download has only one world.
func (p Preset) world(number int) World {
	if p.Download != nil {
		return p.Download.world()
	}
	w := World{Spec: p.People, Revision: profile.Revision}
	w.Seed = uint64(p.First + number)
	return w
}

// options is the number of options of a multiple-choice question.
const options = 4
