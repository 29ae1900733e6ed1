package salmu

import (
	published "github.com/unlearnlab/unlearnlab/data/results/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/rounding"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

// Study is the study of SALMUBench.
var Study bench.Study = theStudy{}

type theStudy struct{}

func (theStudy) Paper() string { return "salmu" }

func (theStudy) Presets() []string { return []string{"smoke", "quick", "mini", bench.PaperPreset} }
func (theStudy) Beside() []string  { return []string{"worlds"} }

// Names of the study's flags: folders of the published data and models.
const (
	DataFlag     = "data"
	ModelsFlag   = "models"
	ImageNetFlag = "imagenet"
	RetainFlag   = "retain"
)

func (theStudy) Flags() []bench.Flag {
	return []bench.Flag{
		{Name: DataFlag, About: "paper preset: the folder of cvc-mmu/salmubench-512-redistributed (default: that of " +
			"the last time)"},
		{Name: ModelsFlag, About: "paper preset: the folder with the published models (default: that of the last " +
			"time)"},
		{Name: ImageNetFlag, About: "paper preset: ImageNet's validation set, a folder a class, for GenKnow"},
		{Name: RetainFlag, About: "paper preset: 80,000 pictures of the original training data with captions beside " +
			"them, for the methods that walk through them"},
	}
}

func (theStudy) Tables() []bench.Item {
	var tables []bench.Item
	for _, number := range TableNumbers {
		tables = append(tables, bench.Item{Name: number, About: titles[number]})
	}
	return tables
}

func (theStudy) Further() (items []bench.Item) {
	for _, t := range furtherTables() {
		items = append(items, t.Item)
	}
	return items
}

func (theStudy) Main() []string {
	return []string{
		"Compromised has a higher RetFail than Clean",
		"Generic Captions is of ineffective forgetting (Type 3) after five passes",
		"Direct Similarity Minimization is of catastrophic damage (Type 1) after five passes",
		"DELETE reaches Clean's RetFail in five passes",
		"DELETE costs less than a twentieth of general knowledge in five passes",
	}
}

func (theStudy) Repetitions() certify.Repetitions { return Worlds }

func (theStudy) Examples() []string {
	return []string{
		"run salmu", "run salmu --preset mini --device xla:cpu", "run salmu --method delete,cliperase --seeds 2",
		"run salmu --preset mini --dry-run",
		"run salmu --preset paper --data salmubench-512-redistributed --models models",
		"table salmu 5 --certified", "table salmu 5 --against DELETE",
		"table salmu 5 --printed --format csv",
		"claims salmu", "claims salmu --preset mini --json",
		"trace salmu 5 --row delete/5x --column GenKnow --preset mini",
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
