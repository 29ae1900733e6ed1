package salmu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Variant changes the size of the models, the data that they keep, or the scale of the learning rates, in the first
// world. Variants explain where the costs of methods come from.
type Variant struct {
	Title   string
	World   persona.Spec
	Size    Size
	Factor  float64  // multiplier of the preset's learning rates
	Methods []Method // methods with one budget each
}

// VariantRuns holds the runs of a variant.
type VariantRuns struct {
	Compromised *study.Run
	Methods     []*study.Run
}

// VariantScores holds the raw scores of a variant.
type VariantScores struct {
	Compromised *study.Evaluation
	Methods     []Budgets
}

// variantBudget is the number of passes after which variants are compared.
const variantBudget = 5

// variants returns the variants. Larger models keep the preset's rates. By the preset's rule they need no others:
// Direct Similarity Minimization drives the cosines below zero in five passes.
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

func (p *Plan) variant(v Variant) VariantRuns {
	corpus := Corpus{World: &v.World, Revision: persona.Revision}
	spec := BaseSpec{Corpus: corpus, Size: v.Size, Training: p.Preset.Training, Compromised: true, Seed: v.World.Seed}
	in := setting{corpus: corpus, prefix: v.Title + ": ", labels: study.Labels{variantLabel: v.Title}}
	base := Base.AddAs(in.labels.With(modelLabel, compromised), &p.Plan, in.prefix+"Compromised, training",
		100*relative(v.Size, p.Preset.Size), spec)
	models := map[string]*study.Run{compromised: base}
	runs := VariantRuns{Compromised: p.judged(in, compromised, models)}
	for _, m := range v.Methods {
		runs.Methods = append(runs.Methods, p.unlearned(in, compromised, models, m, m.Title))
	}
	return runs
}

// relative returns the time of a step at one size as a multiple of the time at another size.
func relative(a, b Size) float64 {
	return float64(a.Layers*a.Width*a.Width) / float64(b.Layers*b.Width*b.Width)
}

func (v VariantRuns) read(s *store.Store, methods []Method) (scores VariantScores, err error) {
	base, err := readRun(s, v.Compromised, []int{0}, 0, nil)
	if err != nil {
		return scores, err
	}
	scores.Compromised = base[0]
	for i, run := range v.Methods {
		budgets, err := readRun(s, run, methods[i].Budgets, 0, scores.Compromised)
		if err != nil {
			return scores, err
		}
		scores.Methods = append(scores.Methods, budgets)
	}
	return scores, nil
}

// Parameters returns the number of parameters of a small model.
func (s Size) Parameters(image int) int {
	block := 12*s.Width*s.Width + 13*s.Width
	patches := image / s.Patch * (image / s.Patch)
	vision := s.Width*3*s.Patch*s.Patch + s.Width + (patches+1)*s.Width + 4*s.Width
	text := (s.Vocabulary+s.Context)*s.Width + 2*s.Width
	return 2*s.Layers*block + vision + text + 2*s.Width*s.Embedding + 1
}
