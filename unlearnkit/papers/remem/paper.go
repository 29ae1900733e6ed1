package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Names of the published models. Their folders have the same names.
const (
	LLaVA7B  = "llava-1.5-7b-hf"
	LLaVA13B = "llava-1.5-13b-hf"
)

// Models lists the names of the published models.
var Models = []string{LLaVA7B, LLaVA13B}

// Names of flags of the paper preset.
const (
	DataFlag      = "data"
	ModelsFlag    = "models"
	PrecisionFlag = "precision"
)

// Paper returns the preset with the paper's people, models, rates, batches and epochs. Learning and forgetting each
// train a new adapter of rank 64 on every projection.
func Paper(d Download) Preset {
	p := Preset{Name: study.PaperPreset, Worlds: 1, Download: &d, Epochs: 5, Batch: 64, Whole: true,
		Relearning: RelearntSpec{Budgets: []int{1, 2, 4}, Batch: 64, Rate: 5e-5, Rank: 64, Precision: d.Precision},
		Bits:       []int{8, 4}}
	for _, s := range []struct{ name, title, model string }{{"7B", "LLaVA-1.5-7B", LLaVA7B},
		{"13B", "LLaVA-1.5-13B", LLaVA13B}} {
		if digest := d.Models[s.model]; digest != "" {
			p.Sizes = append(p.Sizes, SizePreset{Name: s.name, Model: s.title, Published: digest,
				Teaching: Training{Epochs: 5, Batch: 64, Rate: 5e-5, Rank: 64, Precision: d.Precision}})
		}
	}
	for count := 1; count <= max(1, d.People/5) && count < d.People; count++ {
		p.Forget = append(p.Forget, count) // at most a fifth of the people
	}
	for _, entry := range catalogue.Answering.Entries() {
		for _, name := range append(paperMethods, "po") {
			if entry.Name == name {
				p.Methods = append(p.Methods, Method{Entry: entry, Rates: map[string]float64{"7B": 2e-5, "13B": 2e-5}})
			}
		}
	}
	return p
}
