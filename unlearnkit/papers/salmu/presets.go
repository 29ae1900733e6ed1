package salmu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Smoke returns a preset that checks in seconds that everything runs. Its models learn almost nothing, and its numbers
// are meaningless.
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

// Mini returns a preset with all experiments of the paper, in five worlds.
func Mini() Preset {
	p := small()
	p.Name, p.Worlds, p.Methods = "mini", 5, methods(1, 5, 10, 15, 20)
	p.Clean = fromClean(p.Methods)
	p.Rates = sweep(p.Methods, 0.1, 0.3, 1, 3, 10, 30)
	p.Variants, p.Trials = variants(p), trials(p)
	return p
}

// TenWorlds returns [Mini] with five more worlds. It lacks the variants and trials, which use only the first worlds.
func TenWorlds() Preset {
	p := Mini()
	p.Name, p.Worlds, p.Variants, p.Trials = "worlds", 10, nil, nil
	return p
}

// presets returns the presets that have names. It excludes [Paper], which needs a download.
func presets() []Preset { return []Preset{Smoke(), Quick(), Mini(), TenWorlds(), Recovery()} }

// Named returns the preset called name.
func Named(name string) (Preset, error) {
	if name == "paper" {
		return Preset{}, errors.New("the preset paper is made of a download: Paper returns it")
	}
	return study.Named("salmu", name, presets(), func(p Preset) string { return p.Name }, ", and paper with a download")
}

// variants returns the variants of a preset. Larger models keep the preset's rates, because the rates also satisfy the
// preset's rule on them: Direct Similarity Minimization drives the cosines below zero in five passes.
func variants(p Preset) []Variant {
	var all []Variant
	add := func(title string, size Size, world persona.Spec, factor float64) {
		v := Variant{Title: title, World: world, Size: size, Factor: factor}
		for _, m := range methods(variantBudget) {
			if !m.Once {
				v.Methods = append(v.Methods, m.faster(factor))
			}
		}
		all = append(all, v)
	}
	narrow, deep, wide := p.Size, p.Size, p.Size
	narrow.Width, narrow.Heads, narrow.Embedding = 32, 2, 32
	deep.Layers = 6
	wide.Width, wide.Layers = 128, 4
	add("width 32", narrow, p.World, 1)
	add("width 64", p.Size, p.World, 1)
	add("width 64, 6 layers", deep, p.World, 1)
	add("width 128, 4 layers", wide, p.World, 1)
	add("100 classes", p.Size, p.World.Broader(100, 150), 1)
	add("a tenth of the rates", p.Size, p.World, 0.1)
	add("a third of the rates", p.Size, p.World, 0.3)
	return all
}

// trials returns the trials of a preset that has five worlds.
func trials(p Preset) []Trial {
	byFact := p.World
	byFact.ByAttribute, byFact.Unseen = true, unseenPortraits
	own := methods(variantBudget)
	all := []Trial{
		{Title: noiseTrial, Worlds: p.Worlds, World: p.World, Methods: []Method{
			called(own, "descent-to-delete").with("examples", p.learntRows())}},
		{Title: factsTrial, Worlds: p.Worlds, World: byFact},
	}
	all = append(all, prices(p)...)
	longest := len(all) - 1 // index of the trial that must be last
	return slices.Insert(all, longest, Trial{Title: toldTrial, Worlds: p.Worlds, World: byFact,
		Methods: []Method{called(own, "direct"), called(own, "delete")}},
		Trial{Title: meansTrial, Worlds: p.Worlds, World: p.World,
			Methods: []Method{called(own, "vlunlearn").with("retrieval", 0)}})
}
