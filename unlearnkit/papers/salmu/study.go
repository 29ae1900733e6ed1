package salmu

import (
	published "github.com/unlearnlab/unlearnlab/data/results/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// Study is the study of SALMUBench.
var Study study.Study = theStudy{}

type theStudy struct{}

func (theStudy) Paper() string { return "salmu" }

func (theStudy) Presets() []string { return []string{"smoke", "quick", "mini", study.PaperPreset} }
func (theStudy) Beside() []string  { return []string{"worlds"} }

// Names of the study's flags: folders of the published data and models.
const (
	DataFlag     = "data"
	ModelsFlag   = "models"
	ImageNetFlag = "imagenet"
	RetainFlag   = "retain"
)

func (theStudy) Flags() []study.Flag {
	return []study.Flag{
		{Name: DataFlag, About: "paper preset: the folder of cvc-mmu/salmubench-512-redistributed (default: that of " +
			"the last time)"},
		{Name: ModelsFlag, About: "paper preset: the folder with the published models (default: that of the last " +
			"time)"},
		{Name: ImageNetFlag, About: "paper preset: ImageNet's validation set, a folder a class, for GenKnow"},
		{Name: RetainFlag, About: "paper preset: 80,000 pictures of the original training data with captions beside " +
			"them, for the methods that walk through them"},
	}
}

func (theStudy) Tables() []study.Item {
	var tables []study.Item
	for _, number := range TableNumbers {
		tables = append(tables, study.Item{Name: number, About: titles[number]})
	}
	return tables
}

func (theStudy) Further() (items []study.Item) {
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
