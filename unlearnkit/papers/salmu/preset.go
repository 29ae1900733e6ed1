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

// Preset is how large the study is.
type Preset struct {
	Name     string
	World    persona.Spec // the seed is the world's number
	Worlds   int          // each with its own people, models and runs
	Size     Size
	Training Training
	Each     int      // captions of either kind that compete with an image's own
	Retain   int      // rows of the sample of what is kept
	Methods  []Method // of Table 5
	Clean    []Method // of Table 6, from the model that has seen nothing
	Rates    []Method // of Figure 8: one method more than once, each time at another rate
	Variants []Variant
	Trials   []Trial
	Download *Download // of the paper's own data and models; nil in small worlds
}

// Method is a row of a table: a method of unlearning at its budgets.
type Method struct {
	catalogue.Entry
	Values  map[string]float64
	Budgets []int
	Once    bool // the table has it without a budget
}

// scale is how much larger learning rates are in the small worlds than in the paper: models a hundredth as wide, with
// some hundred times fewer steps. It was chosen so that Direct Similarity Minimization drives the cosines below zero
// within five passes, as it does in the paper; the ratios between methods are the paper's.
const scale = 1000

// smallPeak is the rate at which the models of the small worlds are pretrained, at its highest.
const smallPeak = 2e-3

// methods are the rows of Table 5 at rates of the small worlds and with batches of a quarter of the paper's, but no
// less than 16 rows.
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

// small is what quick and mini have in common: the models are the same, so that a run of one is a run of the other.
func small() Preset {
	return Preset{
		World:    persona.Mini(0),
		Size:     Size{Width: 64, Layers: 3, Heads: 4, Embedding: 64, Patch: 8, Vocabulary: 1024, Context: 32},
		Training: Training{Epochs: 16, Batch: 128, Rate: smallPeak, Warmup: 50, Decay: 0.1, Sensitive: 16},
		Each:     200, Retain: 1024,
	}
}

// Smoke shows in seconds that everything runs. Its models learn next to nothing, and its numbers say nothing of the
// methods.
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

// Quick is for a first look: one world, from base models that are shipped.
func Quick() Preset {
	p := small()
	p.Name, p.Worlds, p.Methods = "quick", 1, methods(1, 5)
	p.Clean = fromClean(p.Methods)
	p.Rates = sweep(p.Methods, 0.3, 1, 3)
	p.Variants = variants(p)
	return p
}

// Mini is the whole structure of the paper over five worlds.
func Mini() Preset {
	p := small()
	p.Name, p.Worlds, p.Methods = "mini", 5, methods(1, 5, 10, 15, 20)
	p.Clean = fromClean(p.Methods)
	p.Rates = sweep(p.Methods, 0.1, 0.3, 1, 3, 10, 30)
	p.Variants, p.Trials = variants(p), trials(p)
	return p
}

// TenWorlds is [Mini] with five more worlds, and without its variants and trials, which are of the first world alone.
func TenWorlds() Preset {
	p := Mini()
	p.Name, p.Worlds, p.Variants, p.Trials = "worlds", 10, nil, nil
	return p
}

// fromClean are the four methods of Table 6, after five passes.
func fromClean(all []Method) []Method {
	var chosen []Method
	for _, m := range all[:4] {
		m.Budgets = []int{5}
		chosen = append(chosen, m)
	}
	return chosen
}

// sweep are the two methods of Figure 8 at multiples of their rates, after five passes.
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

// faster is the method at a multiple of its learning rate.
func (m Method) faster(factor float64) Method {
	m.Values = maps.Clone(m.Values)
	m.Values["rate"] *= factor
	return m
}

// With adds rows to Table 5.
func (p Preset) With(methods ...Method) Preset {
	p.Methods = append(slices.Clone(p.Methods), methods...)
	return p
}

// Only leaves the study nothing but these rows of Table 5.
func (p Preset) Only(methods ...Method) Preset {
	p.Methods, p.Clean, p.Rates, p.Variants, p.Trials = methods, nil, nil, nil, nil
	return p
}

// corpus is the world of a number, or the published data.
func (p Preset) corpus(world int) Corpus {
	if p.Download != nil {
		return p.Download.corpus()
	}
	spec := p.World
	spec.Seed = uint64(world)
	return Corpus{World: &spec, Revision: persona.Revision}
}

// Presets are those that can be named; [Paper] is made of a download.
func Presets() []Preset { return []Preset{Smoke(), Quick(), Mini(), TenWorlds()} }

// beside reports whether the preset adds runs to those of the paper's study.
func (p Preset) beside() bool { return slices.Contains(beside, p.Name) }

// Named returns a preset by its name.
func Named(name string) (Preset, error) {
	if name == "paper" {
		return Preset{}, errors.New("the preset paper is made of a download: Paper returns it")
	}
	return study.Named("salmu", name, Presets(), func(p Preset) string { return p.Name }, ", and paper with a download")
}
