package unslu

import (
	_ "embed"
	"slices"

	published "github.com/unlearnlab/unlearnlab/data/results/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

//go:embed about.md
var about string

// Study describes the study of UnSLU-BENCH to package study.
var Study = &study.Study{
	Paper:       "unslu",
	Text:        about,
	Repetitions: Worlds,
	Presets:     []string{"smoke", "quick", "mini", study.PaperPreset},
	Beside:      additions,
	Richest:     Wider().Name,
	Flags: []study.Flag{
		{Name: DataFlag, About: "paper preset: a folder with Fluent Speech Commands, SLURP, ITALIC, " +
			"Speech-MASSIVE, or several (default: the imported ones)"},
		{Name: ModelsFlag, About: "paper preset: the folder with the published models (default: the one used " +
			"last)"},
	},
	Columns: slices.Concat(mainColumns(), metricsColumns()),
	Tables:  study.Titled(TableNumbers, titles),
	Further: study.Extras(furtherTables()),
	Audit:   audit.UnSLU,
	Figures: Figures,
	Printed: Printed,
	Examples: []string{
		"run unslu", "run unslu --preset mini --device xla:cpu", "run unslu --method negative,scrub --seeds 2",
		"table unslu 1 --certified", "table unslu 2 --against NG", "table unslu rates", "table unslu attacks",
		"run unslu --preset paper --data downloads --models models",
		"claims unslu --preset mini --json",
		"evaluate unslu --name mine --models models --part FSC/HuBERT",
		"trace unslu 2 --row SLURP*/HuBERT/NG --column MIA --preset mini",
	},
	Story:    story,
	Answers:  study.AnswersBy((*Results).answers),
	Shelf:    published.Shelf,
	Rounding: published.Rounding,
	NewPlan:  newPlan,
}

// Names of flags with the folders of the published data and models.
const (
	DataFlag   = "data"
	ModelsFlag = "models"
)

func newPlan(name string, repetitions int) (*study.PresetPlan, error) {
	preset, err := Named(name)
	if err != nil {
		return nil, err
	}
	if repetitions > 0 {
		preset.Worlds = repetitions
	}
	return NewPlan(preset).PresetPlan(), nil
}

// PresetPlan converts the plan to the form that package study reads.
func (p *Plan) PresetPlan() *study.PresetPlan {
	all := &study.PresetPlan{Plan: &p.Plan, Preset: p.Preset.Name, Large: p.Preset.Download != nil, Of: p.of,
		Read: study.Reader(p.Read), Published: p.Published}
	if p.Preset.isAddition() {
		all.Part = func(s *store.Store) (study.Results, error) { return p.Part(s) }
	}
	if p.Preset.Download == nil {
		all.Methods, all.Without = p.Preset.names(), func(methods ...string) *study.PresetPlan {
			return NewPlan(p.Preset.without(methods)).PresetPlan()
		}
	}
	return all.Hosting("unslu", p.host())
}

// Open reads the results of a preset from the store in a folder. It computes nothing. Missing runs are computed by
//
//	unlearnlab run unslu --preset PRESET
func Open(folder, preset string) (*Results, error) {
	return study.OpenAs[*Results](Study, folder, preset)
}
