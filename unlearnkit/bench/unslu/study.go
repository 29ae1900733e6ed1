package unslu

import (
	published "github.com/unlearnlab/unlearnlab/data/results/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/rounding"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

// Study is the study of UnSLU-BENCH.
var Study bench.Study = theStudy{}

type theStudy struct{}

func (theStudy) Paper() string { return "unslu" }

func (theStudy) Presets() []string { return []string{"smoke", "quick", "mini", bench.PaperPreset} }
func (theStudy) Beside() []string  { return []string{"wider"} }

// Names of the study's flags: folders of the published data and models.
const (
	DataFlag   = "data"
	ModelsFlag = "models"
)

func (theStudy) Flags() []bench.Flag {
	return []bench.Flag{
		{Name: DataFlag, About: "paper preset: a folder with Fluent Speech Commands, SLURP, ITALIC, Speech-MASSIVE, " +
			"or several (default: what was imported)"},
		{Name: ModelsFlag, About: "paper preset: the folder with the published models (default: that of the last " +
			"time)"},
	}
}

func (theStudy) Tables() []bench.Item {
	var tables []bench.Item
	for _, number := range TableNumbers {
		tables = append(tables, bench.Item{Name: number, About: titles[number]})
	}
	return tables
}

func (theStudy) Further() []bench.Item { return furtherTables() }

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

func (theStudy) Rounding() rounding.Bounds { return published.Rounding() }

func (theStudy) Shelves() []store.Shelf { return []store.Shelf{published.Shelf()} }

func (theStudy) Check(r bench.Request) error { _, err := asked(r); return err }

// asked is the preset that is asked for; that of the paper is known only when the published files are.
func asked(r bench.Request) (preset Preset, err error) {
	paper, err := r.OfPaper(theStudy{}.Flags())
	if paper || err != nil {
		return preset, err
	}
	if preset, err = Named(r.Preset); err == nil && r.Repetitions > 0 {
		preset.Worlds = r.Repetitions
	}
	return preset, err
}

func (theStudy) Lay(r bench.Request) (*bench.Plan, error) {
	if r.Preset == bench.PaperPreset {
		_, err := Named(r.Preset)
		return nil, err
	}
	preset, err := asked(r)
	if err != nil {
		return nil, err
	}
	return NewPlan(preset).Laid(), nil
}

func (s theStudy) Open(folder, preset string) (bench.Results, error) {
	return bench.Open(s, folder, preset)
}

// ClaimsTable lays out what holds of the paper's claims.
func (r *Results) ClaimsTable() *report.Table {
	return bench.ClaimsTable(Study, r.Claims(), r.Frame())
}

// Laid is the plan as any study's.
func (p *Plan) Laid() *bench.Plan {
	laid := &bench.Plan{
		Plan: &p.Plan, Preset: p.Preset.Name, Large: p.Preset.Download != nil, Of: p.Of,
		Read:      func(s *store.Store, tables ...string) (bench.Results, error) { return p.Read(s, tables...) },
		Published: p.Published,
	}
	if p.Preset.beside() {
		laid.Part = func(s *store.Store) (bench.Results, error) { return p.Part(s) }
	}
	return laid
}

// Open reads the results of a preset from the store in a folder. It computes nothing: what is missing is made by
//
//	unlearnlab run unslu --preset PRESET
func Open(folder, preset string) (*Results, error) {
	r, err := bench.Open(Study, folder, preset)
	if err != nil {
		return nil, err
	}
	return r.(*Results), nil
}
