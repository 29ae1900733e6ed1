package salmu

import (
	_ "embed"

	published "github.com/unlearnlab/unlearnlab/data/results/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

//go:embed about.md
var about string

// Study describes the study of SALMUBench to package study.
var Study = &study.Study{
	Paper:       "salmu",
	Text:        about,
	Repetitions: Worlds,
	Presets:     []string{"smoke", "quick", "mini", study.PaperPreset},
	Beside:      additions,
	Richest:     "worlds",
	Flags: []study.Flag{
		{Name: DataFlag, About: "paper preset: the folder of cvc-mmu/salmubench-512-redistributed (default: the " +
			"one used last)"},
		{Name: ModelsFlag, About: "paper preset: the folder with the published models (default: the one used " +
			"last)"},
		{Name: ImageNetFlag, About: "paper preset: ImageNet's validation set, a folder a class, for GenKnow"},
		{Name: RetainFlag, About: "paper preset: 80,000 pictures of the original training data with captions " +
			"next to them, for the methods that train on them"},
	},
	Columns: Preset{}.Columns(),
	Tables:  study.Titled(tableNumbers, titles),
	Further: study.Extras(furtherTables()),
	Audit:   audit.SALMU,
	Figures: Figures,
	Printed: Printed,
	Examples: []string{
		"run salmu", "run salmu --preset mini --device xla:cpu", "run salmu --method delete,cliperase --seeds 2",
		"run salmu --preset mini --dry-run",
		"run salmu --preset paper --data salmubench-512-redistributed --models models",
		"table salmu 5 --certified", "table salmu 5 --against DELETE",
		"table salmu 5 --printed --format csv",
		"claims salmu", "claims salmu --preset mini --json",
		"evaluate salmu --name mine --models models", "evaluate salmu --name mine --models models/world-0 --world 0",
		"evaluate salmu --name theirs --scores scores.csv", "evaluate salmu --schema", "evaluate salmu --list",
		"trace salmu 5 --row delete/5x --column GenKnow --preset mini", "device cost salmu --step direct",
	},
	Story:    story,
	Shelf:    published.Shelf,
	Rounding: published.Rounding,
	NewPlan:  newPlan,
}

// Names of flags with the folders of the published data and models.
const (
	DataFlag     = "data"
	ModelsFlag   = "models"
	ImageNetFlag = "imagenet"
	RetainFlag   = "retain"
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
	all := &study.PresetPlan{Plan: &p.Plan, Preset: p.Preset.Name, Large: p.Preset.Download != nil, Of: p.Of,
		Read: study.Reader(p.Read), Published: p.Published}
	if p.Preset.isAddition() {
		all.Part = func(s *store.Store) (study.Results, error) { return p.part(s) }
	}
	if p.Preset.Download == nil {
		all.Methods, all.Without = p.Preset.names(), func(methods ...string) *study.PresetPlan {
			return NewPlan(p.Preset.without(methods)).PresetPlan()
		}
	}
	return all.Hosting("salmu", p.host())
}

// Open reads the results of a preset from the store in a folder. It computes nothing. Missing runs are computed by
//
//	unlearnlab run salmu --preset PRESET
func Open(folder, preset string) (*Results, error) {
	return study.OpenAs[*Results](Study, folder, preset)
}
