package concealment

import (
	_ "embed"

	published "github.com/unlearnlab/unlearnlab/data/results/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

//go:embed about.md
var about string

// Study describes the study of "Unlearning or Concealment?" to package study.
var Study = &study.Study{
	Paper:       "concealment",
	Text:        about,
	Repetitions: TrainingSeeds,
	Presets:     []string{"smoke", "quick", "mini"},
	Beside:      additions,
	Tables:      study.Titled(tableNumbers, titles),
	Further:     study.Extras(furtherTables()),
	Audit:       audit.Concealment,
	Figures:     Figures,
	Printed:     Printed,
	Examples: []string{"run concealment --method esd-x", "table concealment verdicts",
		"figures concealment crs --data", "trace concealment 2 --row R2D2 --column CCS --preset mini --rows 5"},
	Story:    story,
	Answers:  study.AnswersBy((*Results).answeredClaims),
	Shelf:    published.Shelf,
	Rounding: published.Rounding,
	NewPlan:  newPlan,
}

func furtherTables() []study.Extra[*Results] {
	readings := func(number string) func(r *Results) (*report.Table, error) {
		return func(r *Results) (*report.Table, error) { return r.variants(number) }
	}
	return []study.Extra[*Results]{
		{Name: "verdicts", About: "which methods conceal", Of: (*Results).VerdictTable},
		{Name: "thresholds", About: "which verdicts other thresholds give", Of: (*Results).thresholdTable},
		{Name: "settings", About: "the settings of each method and their result", Of: (*Results).settingTable},
		{Name: "tries", About: "every setting that was tried", Of: (*Results).tryTable},
		{Name: "scale", About: "sizes in the paper and here", Of: (*Results).scaleTable},
		{Name: "recovery", About: "how often each concept comes back, in numbers", Of: (*Results).recoveryTable},
		{Name: "replication", About: "rank correlations of the printed scores with ours",
			Of: (*Results).replicationTable},
		{Name: "separation", About: "the paper's scores compared with how often each concept comes back",
			Of: (*Results).separationTable},
		{Name: "theorems", About: "Theorems 1 to 4, checked on erased models and on gold",
			Of: (*Results).theoremTable},
		{Name: "controls", About: "verdicts with other gold models and other prompts",
			Of: (*Results).controlTable},
		{Name: "originals", About: "which verdicts hold over several originals", Of: (*Results).originalsTable},
		{Name: "distances", About: "how far methods have moved the weights", Of: (*Results).distanceTable},
		{Name: "judge", About: "mistakes of the judge, textures and colours",
			Of: (*Results).judgeTable},
		{Name: "judges", About: "what another judge sees in the same pictures", Of: (*Results).judgesTable},
		{Name: "alone", About: "how often each prompt shows its concept without help", Of: (*Results).aloneTable},
		{Name: "gate", About: "how well the original and similar networks draw", Of: (*Results).gateTable},
		{Name: "readings1", About: "Table 1's scores in every reading", Of: readings("1")},
		{Name: "readings2", About: "Table 2's", Of: readings("2")},
		{Name: "readings3", About: "Table 3's", Of: readings("3")},
	}
}

func newPlan(name string, repetitions int) (*study.PresetPlan, error) {
	preset, err := Named(name)
	if err != nil {
		return nil, err
	}
	if repetitions > 0 {
		preset.Seeds = repetitions
	}
	return NewPlan(preset).PresetPlan(), nil
}

// PresetPlan converts the plan to the form that package study reads.
func (p *Plan) PresetPlan() *study.PresetPlan {
	all := &study.PresetPlan{Plan: &p.Plan, Preset: p.Preset.Name, Of: p.Of,
		Read: study.Reader(p.Read), Published: p.Published, Methods: p.Preset.names(),
		Without: func(methods ...string) *study.PresetPlan { return NewPlan(p.Preset.without(methods)).PresetPlan() }}
	if p.Preset.isAddition() {
		all.Part = func(s *store.Store) (study.Results, error) { return p.part(s) }
	}
	return all.Hosting("concealment", p.host())
}

// Open reads the results of a preset from the store in a folder. It computes nothing. Missing runs are computed by
//
//	unlearnlab run concealment --preset PRESET
func Open(folder, preset string) (*Results, error) {
	return study.OpenAs[*Results](Study, folder, preset)
}
