package unslu

import (
	published "github.com/unlearnlab/unlearnlab/data/results/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// Study is the study of UnSLU-BENCH.
var Study study.Study = theStudy{}

type theStudy struct{}

func (theStudy) Paper() string { return "unslu" }

func (theStudy) Presets() []string { return []string{"smoke", "quick", "mini", study.PaperPreset} }
func (theStudy) Beside() []string  { return []string{"wider"} }

// Names of the study's flags: folders of the published data and models.
const (
	DataFlag   = "data"
	ModelsFlag = "models"
)

func (theStudy) Flags() []study.Flag {
	return []study.Flag{
		{Name: DataFlag, About: "paper preset: a folder with Fluent Speech Commands, SLURP, ITALIC, Speech-MASSIVE, " +
			"or several (default: what was imported)"},
		{Name: ModelsFlag, About: "paper preset: the folder with the published models (default: that of the last " +
			"time)"},
	}
}

func (theStudy) Tables() []study.Item {
	var tables []study.Item
	for _, number := range TableNumbers {
		tables = append(tables, study.Item{Name: number, About: titles[number]})
	}
	return tables
}

func (theStudy) Further() []study.Item { return furtherTables() }

func (theStudy) Main() []string {
	return []string{
		"NG has the highest GUM on the mean of the ten",
		"NG has the highest GUM on the mean of the ten, of metrics that are averaged first",
		"NG is within .03 of gold's F1_T and F1_F and within .05 of its MIA on the mean of the ten",
		"NG takes the least time on each of the ten",
		"NG is nearer to gold under the attack than CF-k and UNSIR on the mean of the ten",
	}
}

func (theStudy) Repetitions() certify.Repetitions { return Worlds }

func (theStudy) Examples() []string {
	return []string{
		"run unslu", "run unslu --preset mini --device xla:cpu", "run unslu --method negative,scrub --seeds 2",
		"table unslu 1 --certified", "table unslu 2 --against NG", "table unslu rates", "table unslu attacks",
		"run unslu --preset paper --data downloads --models models",
		"claims unslu --preset mini --json",
		"trace unslu 2 --row SLURP*/HuBERT/NG --column MIA --preset mini",
	}
}

func (theStudy) Rounding() verify.Bounds { return published.Rounding() }

func (theStudy) Shelves() []store.Shelf { return []store.Shelf{published.Shelf()} }

func (theStudy) Check(r study.Request) error { _, err := asked(r); return err }

// asked is the preset that is asked for; that of the paper is known only when the published files are.
func asked(r study.Request) (preset Preset, err error) {
	paper, err := r.OfPaper(theStudy{}.Flags())
	if paper || err != nil {
		return preset, err
	}
	if preset, err = Named(r.Preset); err == nil && r.Repetitions > 0 {
		preset.Worlds = r.Repetitions
	}
	return preset, err
}

func (theStudy) Lay(r study.Request) (*study.PresetPlan, error) {
	if r.Preset == study.PaperPreset {
		_, err := Named(r.Preset)
		return nil, err
	}
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
		Plan: &p.Plan, Preset: p.Preset.Name, Large: p.Preset.Download != nil, Of: p.Of,
		Read:      func(s *store.Store, tables ...string) (study.Results, error) { return p.Read(s, tables...) },
		Published: p.Published,
	}
	if p.Preset.beside() {
		laid.Part = func(s *store.Store) (study.Results, error) { return p.Part(s) }
	}
	return laid
}

// Open reads the results of a preset from the store in a folder. It computes nothing: what is missing is made by
//
//	unlearnlab run unslu --preset PRESET
func Open(folder, preset string) (*Results, error) {
	r, err := study.Open(Study, folder, preset)
	if err != nil {
		return nil, err
	}
	return r.(*Results), nil
}
