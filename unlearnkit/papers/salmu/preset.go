package salmu

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Preset determines the size of the study.
type Preset struct {
	Name     string
	World    persona.Spec // the seed is the world's number
	Worlds   int          // each world has its own people, models and runs
	Size     Size
	Training Training
	Each     int      // number of captions of each kind that compete with an image's own
	Retain   int      // number of rows of the retain sample
	Methods  []Method // rows of Table 5
	Clean    []Method // rows of Table 6, which start from Clean
	Rates    []Method // methods of Figure 8 at several rates each
	Variants []Variant
	Trials   []Trial
	Download *Download // the paper's own data and models; nil in small worlds
}

// Method is a row of a table: an unlearning method with its settings and budgets.
type Method struct {
	catalogue.Entry
	Values  map[string]float64
	Budgets []int
	Once    bool // the table prints the method without a budget
}

// scale is the ratio of learning rates in small worlds to the paper's. The models are a hundredth as wide and train for
// some hundred times fewer steps. It was chosen so that Direct Similarity Minimization drives the cosines below zero
// within five passes, as in the paper. The ratios between methods are the paper's.
const scale = 1000

// smallPeak is the peak learning rate at which the models of small worlds are pretrained.
const smallPeak = 2e-3

// methods returns the rows of Table 5 with the rates of small worlds. Batches have a quarter of the paper's size, and
// at least 16 rows.
func methods(budgets ...int) []Method {
	rows := paperMethods()
	for i := range rows {
		m := &rows[i]
		if m.Name == "vlunlearn" {
			m.Values["rate"], m.Values["retrieval"] = 1e-7, 1 // the paper's 1e-5 times scale destroys the model at once
		}
		m.Values["rate"] *= scale
		m.Values["batch"] = max(16, m.Values["batch"]/4)
		if !m.Once {
			judged := m.Budgets
			m.Budgets = slices.DeleteFunc(slices.Clone(budgets), func(b int) bool {
				return !slices.Contains(judged, b)
			})
		}
	}
	return rows
}

// small returns the settings that Quick and Mini share. Their models are equal, so their runs are shared.
func small() Preset {
	return Preset{
		World:    persona.Mini(0),
		Size:     Size{Width: 64, Layers: 3, Heads: 4, Embedding: 64, Patch: 8, Vocabulary: 1024, Context: 32},
		Training: Training{Epochs: 16, Batch: 128, Rate: smallPeak, Warmup: 50, Decay: 0.1, Sensitive: 16},
		Each:     200, Retain: 1024,
	}
}

// Smoke checks in seconds that everything runs. Its models learn almost nothing, and its numbers are meaningless.
func Smoke() Preset {
	world := persona.Mini(0)
	world.Identities, world.PerIdentity, world.Groups, world.Candidates = 8, 8, 2, 40
	world.RetainJoint, world.RetainDisjoint, world.DisjointPerPerson = 16, 40, 4
	world.Real, world.ObjectClasses, world.ObjectsPerClass, world.ObjectTests = 20, 10, 6, 3
	p := Preset{
		Name: "smoke", World: world, Worlds: 1,
		Size:     Size{Width: 16, Layers: 1, Heads: 2, Embedding: 12, Patch: 8, Vocabulary: 480, Context: 40},
		Training: Training{Epochs: 4, Batch: 32, Rate: 2e-3, Warmup: 2, Decay: 0.1, Sensitive: 4},
		Each:     10, Retain: 32, Methods: methods(1, 5),
	}
	p.Clean, p.Rates = fromClean(p.Methods), sweep(p.Methods, 0.3, 1, 3)
	for _, width := range []int{8, 16} {
		v := Variant{Title: fmt.Sprintf("width %d", width), World: p.World, Size: p.Size, Factor: 1,
			Methods: fromClean(methods(variantBudget))}
		v.Size.Width = width
		p.Variants = append(p.Variants, v)
	}
	return p
}

// Quick returns a preset for a first look. It has one world with base models that ship with the program.
func Quick() Preset {
	p := small()
	p.Name, p.Worlds, p.Methods = "quick", 1, methods(1, 5)
	p.Clean = fromClean(p.Methods)
	p.Rates = sweep(p.Methods, 0.3, 1, 3)
	p.Variants = variants(p)
	return p
}

// Mini has the whole structure of the paper in five worlds.
func Mini() Preset {
	p := small()
	p.Name, p.Worlds, p.Methods = "mini", 5, methods(1, 5, 10, 15, 20)
	p.Clean = fromClean(p.Methods)
	p.Rates = sweep(p.Methods, 0.1, 0.3, 1, 3, 10, 30)
	p.Variants, p.Trials = variants(p), trials(p)
	return p
}

// TenWorlds returns [Mini] with five more worlds. It lacks the variants and trials, which only use the first worlds.
func TenWorlds() Preset {
	p := Mini()
	p.Name, p.Worlds, p.Variants, p.Trials = "worlds", 10, nil, nil
	return p
}

// fromClean returns the four methods of Table 6, with five passes.
func fromClean(all []Method) []Method {
	var chosen []Method
	for _, m := range all[:4] {
		m.Budgets = []int{5}
		chosen = append(chosen, m)
	}
	return chosen
}

// sweep returns the two methods of Figure 8 at multiples of their rates, with five passes.
func sweep(all []Method, factors ...float64) []Method {
	var chosen []Method
	for _, m := range all {
		if m.Name != "generic" && m.Name != "negative" {
			continue
		}
		for _, factor := range factors {
			at := m.faster(factor)
			if factor != 1 {
				at.Budgets = []int{5}
			}
			chosen = append(chosen, at)
		}
	}
	return chosen
}

// faster returns the method at a multiple of its learning rate.
func (m Method) faster(factor float64) Method {
	m.Values = maps.Clone(m.Values)
	m.Values["rate"] *= factor
	return m
}

// With returns the preset with more rows in Table 5.
func (p Preset) With(methods ...Method) Preset {
	p.Methods = append(slices.Clone(p.Methods), methods...)
	return p
}

// Only returns the preset with these rows of Table 5 and nothing else.
func (p Preset) Only(methods ...Method) Preset {
	p.Methods, p.Clean, p.Rates, p.Variants, p.Trials = methods, nil, nil, nil, nil
	return p
}

// corpus returns the corpus of a world, or the published data.
func (p Preset) corpus(world int) Corpus {
	if p.Download != nil {
		return p.Download.corpus()
	}
	spec := p.World
	spec.Seed = uint64(world)
	return Corpus{World: &spec, Revision: persona.Revision}
}

// Presets returns the presets that have names. [Paper] needs a download and is not among them.
func Presets() []Preset { return []Preset{Smoke(), Quick(), Mini(), TenWorlds()} }

// beside reports whether the preset adds runs to the paper's study.
func (p Preset) beside() bool { return slices.Contains(beside, p.Name) }

// Named returns a preset by its name.
func Named(name string) (Preset, error) {
	if name == "paper" {
		return Preset{}, errors.New("the preset paper is made of a download: Paper returns it")
	}
	return study.Named("salmu", name, Presets(), func(p Preset) string { return p.Name }, ", and paper with a download")
}
