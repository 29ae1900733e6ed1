package concealment

import (
	published "github.com/unlearnlab/unlearnlab/data/results/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// Study is the study of "Unlearning or Concealment?".
var Study study.Study = theStudy{}

type theStudy struct{}

func (theStudy) Paper() string       { return "concealment" }
func (theStudy) Presets() []string   { return []string{"smoke", "quick", "mini"} }
func (theStudy) Beside() []string    { return []string{"controls", "methods", "captions", "originals"} }
func (theStudy) Flags() []study.Flag { return nil }

func (theStudy) Tables() []study.Item {
	var tables []study.Item
	for _, number := range TableNumbers {
		tables = append(tables, study.Item{Name: number, About: titles[number]})
	}
	return tables
}

// furtherTable is a table that the paper has not.
type furtherTable struct {
	study.Item
	table func(r *Results) (*report.Table, error)
}

func furtherTables() []furtherTable {
	readings := func(number string) func(r *Results) (*report.Table, error) {
		return func(r *Results) (*report.Table, error) { return r.Variants(number) }
	}
	return []furtherTable{
		{study.Item{Name: "verdicts", About: "which methods conceal"},
			func(r *Results) (*report.Table, error) { return r.VerdictTable(), nil }},
		{study.Item{Name: "thresholds", About: "which verdicts other thresholds give"}, (*Results).ThresholdTable},
		{study.Item{Name: "settings", About: "how each method was set, and what that came to"},
			(*Results).SettingTable},
		{study.Item{Name: "tries", About: "every setting that was tried"}, (*Results).TryTable},
		{study.Item{Name: "scale", About: "what is larger in the paper than here"}, (*Results).ScaleTable},
		{study.Item{Name: "recovery", About: "what comes back of every concept, in numbers"},
			(*Results).RecoveryTable},
		{study.Item{Name: "replication", About: "what is printed beside ours, by rank correlations"},
			(*Results).ReplicationTable},
		{study.Item{Name: "separation", About: "the paper's scores beside what help brings back of each concept"},
			(*Results).SeparationTable},
		{study.Item{Name: "theorems", About: "what Theorems 1 to 4 say, of erased models and of gold"},
			(*Results).TheoremTable},
		{study.Item{Name: "controls", About: "what becomes of verdicts beside other gold models and prompts"},
			(*Results).ControlTable},
		{study.Item{Name: "distances", About: "how far methods have moved the weights"}, (*Results).DistanceTable},
		{study.Item{Name: "judge", About: "what the judge sees that cannot be there, and textures and colours"},
			(*Results).JudgeTable},
		{study.Item{Name: "judges", About: "what another judge sees in the same pictures"}, (*Results).JudgesTable},
		{study.Item{Name: "alone", About: "what every prompt gives without help"}, (*Results).AloneTable},
		{study.Item{Name: "gate", About: "how well the original draws, and networks like it"}, (*Results).GateTable},
		{study.Item{Name: "readings1", About: "Table 1's scores in every reading"}, readings("1")},
		{study.Item{Name: "readings2", About: "Table 2's"}, readings("2")},
		{study.Item{Name: "readings3", About: "Table 3's"}, readings("3")},
	}
}

func (theStudy) Further() []study.Item {
	var items []study.Item
	for _, t := range furtherTables() {
		items = append(items, t.Item)
	}
	return items
}

func (theStudy) Main() []string {
	return []string{
		"ESD-x conceals: up to ψ .55 help brings more of it back than it brings gold, and alone it is erased",
		"Ablating Concepts conceals: up to ψ .55 help brings more of it back than it brings gold, " +
			"and alone it is erased",
		"Gold draws what it has never seen, over the tables' concepts, with most seeds at ψ = .55",
		"CRS of retained concepts is above .9 by equation (7)",
		"CRS tells forget from retain rows by more than .9",
	}
}

func (theStudy) Repetitions() certify.Repetitions { return TrainingSeeds }

func (theStudy) Examples() []string {
	return []string{"run concealment --method esd-x", "table concealment verdicts", "figures concealment crs --data",
		"trace concealment 2 --row R2D2 --column CCS --preset mini --rows 5"}
}

func (theStudy) Rounding() verify.Bounds { return published.Rounding() }

func (theStudy) Shelves() []store.Shelf { return []store.Shelf{published.Shelf()} }

func (theStudy) Check(r study.Request) error { _, err := asked(r); return err }

func asked(r study.Request) (Preset, error) {
	preset, err := Named(r.Preset)
	if r.Repetitions > 0 {
		preset.Seeds = r.Repetitions
	}
	return preset, err
}

func (theStudy) Lay(r study.Request) (*study.PresetPlan, error) {
	preset, err := asked(r)
	if err != nil {
		return nil, err
	}
	return NewPlan(preset).Laid(), nil
}

func (s theStudy) Open(folder, preset string) (study.Results, error) {
	return study.Open(s, folder, preset)
}

// ClaimsTable lays out what holds of the paper's claims.
func (r *Results) ClaimsTable() *report.Table {
	return study.ClaimsTable(Study, r.Claims(), r.Frame())
}

// Laid is the plan as any study's.
func (p *Plan) Laid() *study.PresetPlan {
	laid := &study.PresetPlan{
		Plan: &p.Plan, Preset: p.Preset.Name, Of: p.Of, Published: p.Published,
		Read: func(s *store.Store, tables ...string) (study.Results, error) { return p.Read(s, tables...) },
	}
	if p.Preset.beside() {
		laid.Part = func(s *store.Store) (study.Results, error) { return p.Part(s) }
	}
	return laid
}
