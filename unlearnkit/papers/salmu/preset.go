package salmu

import (
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Preset determines the size of the study: its worlds, models, methods and training.
type Preset struct {
	Name     string
	World    persona.Spec // settings of the generated data; the seed is the index of the world
	Worlds   int          // each world has its own people, models and runs
	Size     Size
	Training Training
	Each     int      // number of captions of each kind that compete with an image's own
	Retain   int      // number of rows in the retain sample
	Methods  []Method // methods of Table 5
	Clean    []Method // methods of Table 6, which start from Clean
	Rates    []Method // methods of Figure 8, each at several learning rates
	Variants []Variant
	Trials   []Trial
	Attacked []Method     // methods whose models are attacked, each at one budget
	Attacks  []AttackKind // attacks on these models
	Looked   int          // number of the first worlds that are not attacked, because the attacks were chosen by them
	Download *Download    // the paper's own data and models; nil for generated data
}

// Method is an unlearning method with its settings and budgets. A budget is a number of passes over the forget rows.
type Method struct {
	catalogue.Entry
	Values  map[string]float64
	Budgets []int
	Once    bool // tables print the method without a budget
}

// Variant changes the size of the models, their data, or the learning rates, in the first world. Variants help to
// explain why methods cost general knowledge.
type Variant struct {
	Title   string
	World   persona.Spec
	Size    Size
	Factor  float64  // multiplier of the preset's learning rates
	Methods []Method // methods with a single budget each
}

// Trial runs methods with other settings or on other rows. It starts from the study's own models: unlike a [Variant],
// it trains no base model.
type Trial struct {
	Title   string
	Worlds  int          // number of the study's worlds that the trial uses, beginning with the first
	World   persona.Spec // rows for methods and judgement; pictures and captions are the study's own
	Factor  float64      // factor on the study's learning rates in a price trial; otherwise 0
	Methods []Method
}

// variantBudget is the number of passes after which variants are compared.
const variantBudget = 5

// additions names the presets that are additions to the paper's study.
var additions = []string{"worlds", recoveryPreset}

// scale is the ratio of the learning rates on generated data to the paper's. The models are about a tenth as wide and
// train for less than a thousandth as many steps. The ratio was chosen so that Direct Similarity Minimization drives
// the cosines below zero within five passes, as in the paper. Ratios between methods are as in the paper.
const scale = 1000

// smallPeak is the peak learning rate of the pretraining on generated data.
const smallPeak = 2e-3

// methods returns the methods of Table 5 with rates for generated data. Batches are a quarter of the paper's size, but
// at least 16 rows.
func methods(budgets ...int) []Method {
	rows := paperMethods()
	for i := range rows {
		m := &rows[i]
		if m.Name == "vlunlearn" {
			m.Values["rate"], m.Values["retrieval"] = 1e-7, 1 // the paper's 1e-5 times scale destroys the model
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

// small returns the settings that Quick and Mini share. Because their models are equal, their runs are shared, too.
func small() Preset {
	return Preset{
		World:    persona.Mini(0),
		Size:     Size{Width: 64, Layers: 3, Heads: 4, Embedding: 64, Patch: 8, Vocabulary: 1024, Context: 32},
		Training: Training{Epochs: 16, Batch: 128, Rate: smallPeak, Warmup: 50, Decay: 0.1, Sensitive: 16},
		Each:     200, Retain: 1024,
	}
}

// fromClean returns the four methods of Table 6, with a budget of five passes.
func fromClean(all []Method) []Method {
	var chosen []Method
	for _, m := range all[:4] {
		m.Budgets = []int{5}
		chosen = append(chosen, m)
	}
	return chosen
}

// sweep returns the two methods of Figure 8 at several multiples of their rates, after five passes. At a factor of 1 a
// method keeps its budgets, so that its run is Table 5's.
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

// faster returns the method with its learning rate multiplied by a factor.
func (m Method) faster(factor float64) Method {
	m.Values = maps.Clone(m.Values)
	m.Values["rate"] *= factor
	return m
}

// With returns the preset with additional methods in Table 5.
func (p Preset) With(methods ...Method) Preset {
	p.Methods = append(slices.Clone(p.Methods), methods...)
	return p
}

// names returns the names of the methods of Table 5.
func (p Preset) names() (names []string) {
	for _, m := range p.Methods {
		names = append(names, m.Name)
	}
	return names
}

// without returns the preset without some methods. Its variants and trials stay.
func (p Preset) without(methods []string) Preset {
	for _, all := range []*[]Method{&p.Methods, &p.Clean, &p.Rates} {
		*all = slices.DeleteFunc(slices.Clone(*all), func(m Method) bool { return slices.Contains(methods, m.Name) })
	}
	return p
}

// Only returns the preset with only these methods in Table 5, and without its other tables, figures and trials.
func (p Preset) Only(methods ...Method) Preset {
	p.Methods, p.Clean, p.Rates, p.Variants, p.Trials = methods, nil, nil, nil, nil
	return p
}

// corpus returns the data of a world, or the published data.
func (p Preset) corpus(world int) Corpus {
	if p.Download != nil {
		return p.Download.corpus()
	}
	spec := p.World
	spec.Seed = uint64(world)
	return Corpus{World: &spec, Revision: persona.Revision}
}

// isAddition reports whether the preset is an addition to the paper's study.
func (p Preset) isAddition() bool { return slices.Contains(additions, p.Name) }

// learntRows returns the number of rows that the Compromised model was trained on.
func (p Preset) learntRows() float64 {
	w := p.World
	return float64(w.Identities*w.PerIdentity + w.RetainJoint + w.RetainDisjoint + w.Real +
		w.ObjectClasses*w.ObjectsPerClass)
}

// paperMethods returns the methods of Table 5 with the settings of the supplement's table of hyper-parameters, which
// are the catalogue's defaults. VLUnlearn has the settings of its authors' code.
func paperMethods() []Method {
	var rows []Method
	for _, name := range []string{"generic", "shuffled", "direct", "negative", "finetuning", "descent-to-delete",
		"vlunlearn", "delete", "cliperase"} {
		entry := catalogue.Contrastive.Entry(name)
		m := Method{Entry: entry, Values: map[string]float64{}, Budgets: []int{1, 5, 10, 15, 20}}
		for _, setting := range entry.Settings {
			if setting.Name == "rate" || setting.Name == "batch" {
				m.Values[setting.Name] = setting.Default
			}
		}
		if entry.Passes != nil {
			m.Budgets, m.Once = entry.Passes, len(entry.Passes) == 1
		}
		rows = append(rows, m)
	}
	return rows
}
