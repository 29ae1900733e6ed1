package remem

import (
	"errors"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// paperMethods lists the five methods of the paper's tables. The paper also names the baseline po, but its tables lack
// it.
var paperMethods = []string{"gradient-ascent", "gradient-difference", "kl", "dpo", "npo"}

// foundRates holds the learning rates by method and size. In a pilot, they were the largest rates at which models kept
// enough of the retain set.
var foundRates = map[string]map[string]float64{
	"gradient-ascent":     {"S": 2.5e-4, "L": 2.5e-4},
	"gradient-difference": {"S": 2.5e-4, "L": 2.5e-4},
	"kl":                  {"S": 1e-3, "L": 5e-4},
	"dpo":                 {"S": 2.5e-4, "L": 2.5e-4},
	"npo":                 {"S": 2.5e-4, "L": 2.5e-4},
	"po":                  {"S": 4e-3, "L": 2e-3},
}

// methods returns the catalogue's methods with these names, at the rates that the pilot found.
func methods(names ...string) (all []Method) {
	for _, entry := range catalogue.Answering.Entries() {
		if slices.Contains(names, entry.Name) {
			all = append(all, Method{Entry: entry, Rates: foundRates[entry.Name]})
		}
	}
	return all
}

// sizeS and sizeL return the settings of small models that replace LLaVA 1.5 with 7 and 13 billion parameters.
func sizeS() SizePreset {
	return SizePreset{Name: "S", Model: "LLaVA-1.5-7B",
		Base: BaseSpec{Size: Size{Width: 96, Layers: 4, Heads: 4, Hidden: 256}, Vocabulary: 1024, Choices: 4000,
			Epochs: 10, Batch: 64, Rate: 1.5e-3},
		Teaching: Training{Epochs: 10, Batch: 32, Rate: 3e-3, Rank: 16}}
}

func sizeL() SizePreset {
	s := sizeS()
	s.Name, s.Model = "L", "LLaVA-1.5-13B"
	s.Base.Size, s.Base.Rate = Size{Width: 128, Layers: 5, Heads: 4, Hidden: 344}, 1e-3
	s.Teaching.Rate = 2e-3
	return s
}

// Mini returns a preset with all experiments of the paper, at both sizes and in five worlds.
func Mini() Preset {
	return Preset{
		Name: "mini", Worlds: 5, People: profile.Standard(0),
		Tower:  TowerSpec{Width: 64, Layers: 3, Heads: 4, Steps: 1500, Batch: 96, Rate: 4e-3},
		Sizes:  []SizePreset{sizeS(), sizeL()},
		Forget: []int{1, 2, 3, 4}, Methods: methods(append(paperMethods, "po")...), Epochs: 5,
		Batch: 64, Choices: 120, Whole: true,
		Shapes:     profile.Shapes(),
		Counts:     []int{20, 40, 60, 80, 100, 120, 140, 160, 180, 200},
		Shares:     []int{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100},
		Relearning: RelearntSpec{Budgets: []int{1, 2, 4}, Batch: 64, Rate: 1e-3, Rank: 16},
		Bits:       []int{8, 4}, Traced: 100,
	}
}

// triedRates lists the rates that the pilot tries.
var triedRates = []float64{2.5e-4, 5e-4, 1e-3, 2e-3, 4e-3, 8e-3}

// Pilot returns the preset for choosing rates. It runs every method at every tried rate, in a world that no other
// preset uses.
func Pilot() Preset {
	p := Mini()
	p.Name = "pilot"
	return p.pilot(triedRates)
}

// pilot returns the preset with one world that no other preset uses, in which every method runs at every rate.
func (p Preset) pilot(rates []float64) Preset {
	p.Worlds, p.First, p.Forget, p.Judged = 1, 100, []int{4}, 0
	p.Methods = nil
	for _, rate := range rates {
		for _, m := range methods(append(paperMethods, "po")...) {
			m.Rates = map[string]float64{}
			for _, s := range p.Sizes {
				m.Rates[s.Name] = rate
			}
			p.Methods = append(p.Methods, m)
		}
	}
	p.Whole, p.Shapes, p.Counts, p.Shares, p.Relearning, p.Bits, p.Traced = false, nil, nil, nil, RelearntSpec{}, nil, 0
	p.Choices = 0
	return p
}

// Quick returns a preset with one world of mini at the smaller size, in which three methods forget four people.
func Quick() Preset {
	p := Mini()
	p.Name, p.Worlds, p.Sizes, p.Forget = "quick", 1, p.Sizes[:1], []int{4}
	p.Methods = methods("gradient-ascent", "gradient-difference", "npo")
	p.Whole, p.Shapes, p.Counts, p.Shares, p.Relearning, p.Bits, p.Traced = false, nil, nil, nil, RelearntSpec{}, nil, 0
	return p
}

// Smoke returns a preset that runs every stage within a minute. Its models learn almost nothing.
func Smoke() Preset {
	p := Mini()
	p.Name, p.Worlds = "smoke", 1
	p.People.Identities, p.People.Public, p.People.Crowd, p.People.ImageSize = 4, 3, 30, 16
	p.Tower.Width, p.Tower.Heads, p.Tower.Steps, p.Tower.Batch = 16, 2, 4, 8
	for i := range p.Sizes {
		s := &p.Sizes[i]
		s.Base.Size = Size{Width: 16, Layers: 2 + i, Heads: 2, Hidden: 32}
		s.Base.Vocabulary, s.Base.Choices, s.Base.Epochs, s.Teaching.Epochs, s.Teaching.Rank = 400, 12, 1, 1, 2
	}
	p.Forget, p.Methods, p.Epochs, p.Choices = []int{1, 2}, methods("gradient-ascent", "dpo"), 1, 6
	p.Shapes = []profile.Shape{profile.FIUBench, profile.MLLMU, profile.FullShape}
	p.Counts, p.Shares = []int{20}, []int{50}
	p.Relearning.Budgets, p.Bits, p.Traced = []int{1}, []int{4}, 2
	return p
}

// commonRate is the learning rate of all methods in [Refusing]. In the pilot of [Mini], most methods keep enough of the
// retain set up to this rate.
const commonRate = 2.5e-4

// Refusing returns a preset with ten worlds whose base model declines to answer questions about strangers. All methods
// have one rate, as in the paper. Lessons of different numbers of questions have equally many steps. Verdicts are
// corrected for as many verdicts as in mini: together with the verdicts of [Matched] about the same worlds.
func Refusing() Preset {
	p := Mini()
	p.Judged = p.judged()
	p.Name, p.Worlds, p.Sizes, p.Forget = refusingPreset, 10, p.Sizes[:1], []int{4}
	p.Sizes[0].Base.Choices, p.Sizes[0].Base.Refusals, p.Sizes[0].Base.Epochs = 40000, 4000, 20
	for i := range p.Methods {
		p.Methods[i].Rates = map[string]float64{p.Sizes[0].Name: commonRate}
	}
	p.EqualSteps = true
	p.Whole, p.Shapes, p.Shares, p.Bits, p.Traced = false, nil, nil, nil, 0
	return p
}

// RefusingPilot returns the preset for choosing rates for the base model of [Refusing], in steps of √2.
func RefusingPilot() Preset {
	p := Refusing()
	p.Name = "refusing-pilot"
	return p.pilot([]float64{1.25e-4, 1.77e-4, 2.5e-4, 3.54e-4, 5e-4, 7.07e-4, 1e-3, 1.41e-3, 2e-3, 2.83e-3, 4e-3,
		5.66e-3, 8e-3})
}

// matchedRates holds the learning rates of [Matched] by method, found in the pilot by the rule of foundRates.
var matchedRates = map[string]float64{
	"gradient-ascent":     5e-4,
	"gradient-difference": 5e-4,
	"kl":                  2e-3,
	"dpo":                 3.54e-4,
	"npo":                 5e-4,
	"po":                  5e-4,
}

// Matched returns a preset with the worlds and models of [Refusing], in which each method has the largest rate that
// keeps enough.
func Matched() Preset {
	p := Refusing()
	p.Name, p.Counts = matchedPreset, nil
	for i, m := range p.Methods {
		p.Methods[i].Rates = map[string]float64{p.Sizes[0].Name: matchedRates[m.Name]}
	}
	return p
}

// TwelveWorlds returns [Mini] with seven more worlds. Mini was read before they were planned, which is a second look.
func TwelveWorlds() Preset {
	p := Mini()
	p.Name, p.Worlds, p.Looks = worldsPreset, 12, 2
	return p
}

// LeastOfTwelve is the smallest number of complete worlds with which [TwelveWorlds] is read.
const LeastOfTwelve = 8

// additions lists the presets that are additions to the study.
var additions = []string{worldsPreset, refusingPreset, matchedPreset}

// Names of the additional presets, and of the tables of the claims that they change.
const (
	worldsPreset   = "worlds"
	refusingPreset = "refusing"
	matchedPreset  = "matched"
)

// presets returns the presets that have names. It excludes [Paper], which needs a download.
func presets() []Preset {
	return []Preset{Smoke(), Quick(), Mini(), TwelveWorlds(), Refusing(), Matched()}
}

// Named returns the preset called name.
func Named(name string) (Preset, error) {
	if name == study.PaperPreset {
		return Preset{}, errors.New("the preset paper is made of a download: Paper returns it")
	}
	return study.Named("remem", name, presets(), func(p Preset) string { return p.Name }, ", and paper with a download")
}
