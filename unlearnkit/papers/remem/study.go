package remem

import (
	_ "embed"

	published "github.com/unlearnlab/unlearnlab/data/results/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

//go:embed about.md
var about string

// Study describes the study of ReMem to package study.
var Study = &study.Study{
	Paper:       "remem",
	Text:        about,
	Repetitions: Worlds,
	Presets:     []string{"smoke", "quick", "mini", study.PaperPreset},
	Beside:      additions,
	Flags: []study.Flag{
		{Name: DataFlag, About: "paper preset: the folder with ReMem (default: the imported one)"},
		{Name: ModelsFlag, About: "paper preset: the folder with the published models (default: the one used " +
			"last)"},
		{Name: PrecisionFlag, About: "paper preset: bfloat16, as in the published code (default float32, in which " +
			"methods on the 7B model need up to 111 GB of a GPU in place of 63)", Values: []string{Float32, BFloat16}},
	},
	Tables:  study.Titled(TableNumbers, titles),
	Further: study.Extras(furtherTables()),
	Audit:   audit.ReMem,
	Figures: Figures,
	Printed: Printed,
	Examples: []string{
		"run remem", "run remem --preset mini --device xla:cpu", "run remem --method npo,gradient-ascent",
		"table remem 2 --certified", "table remem verdicts --preset mini", "table remem 5 --preset mini",
		"claims remem --preset mini --json", "device cost remem --stage remem/taught --file costs.json",
	},
	Story:    story,
	Answers:  study.AnswersBy((*Results).answers),
	Shelf:    published.Shelf,
	Rounding: published.Rounding,
	NewPlan:  newPlan,
}

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
		Read: study.Reader(p.Read), Published: p.Published,
		Part: func(s *store.Store) (study.Results, error) { return p.Part(s) }}
	if p.Preset.Download == nil {
		all.Methods, all.Without = p.Preset.names(), func(methods ...string) *study.PresetPlan {
			return NewPlan(p.Preset.without(methods)).PresetPlan()
		}
	}
	return all.Hosting("remem", p.host())
}

// Open reads the results of a preset from the store in a folder. It computes nothing. Missing runs are computed by
//
//	unlearnlab run remem --preset PRESET
func Open(folder, preset string) (*Results, error) {
	return study.OpenAs[*Results](Study, folder, preset)
}
