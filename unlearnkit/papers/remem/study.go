package remem

import (
	"slices"

	published "github.com/unlearnlab/unlearnlab/data/results/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// Study is the study of ReMem.
var Study study.Study = theStudy{}

type theStudy struct{}

func (theStudy) Paper() string { return "remem" }

func (theStudy) Presets() []string { return []string{"smoke", "quick", "mini", study.PaperPreset} }

func (theStudy) Flags() []study.Flag {
	return []study.Flag{
		{Name: DataFlag, About: "paper preset: the folder with ReMem (default: what was imported)"},
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

func (theStudy) Further() []study.Item { return slices.Clone(furtherItems) }

func (theStudy) Main() []string {
	return []string{
		"Nine tenths of what is taught are learnt, S",
		"Names are remembered more surely than in the shapes of others: Min-k%",
		"GD keeps the highest ROUGE, S",
		"NPO leaves the lowest EM_f, S",
		"NPO leaves Exposure above that of a model that never learnt, S",
		"Other facts bring back more after NPO than to a model that never learnt, S",
	}
}

func (theStudy) Repetitions() certify.Repetitions { return Worlds }

func (theStudy) Examples() []string {
	return []string{
		"run remem", "run remem --preset mini --device xla:cpu", "run remem --method npo,gradient-ascent",
		"table remem 2 --certified", "table remem verdicts --preset mini", "table remem 5 --preset mini",
		"claims remem --preset mini --json",
	}
}

func (theStudy) Rounding() verify.Bounds { return published.Rounding() }

func (theStudy) Shelves() []store.Shelf { return []store.Shelf{published.Shelf()} }

func (theStudy) Check(r study.Request) error { _, err := asked(r); return err }

// asked is the preset that is asked for.
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

// Laid is the plan as any study's.
func (p *Plan) Laid() *study.PresetPlan {
	return &study.PresetPlan{
		Plan: &p.Plan, Preset: p.Preset.Name, Large: p.Preset.Download != nil, Of: p.Of,
		Published: p.Published,
		Read:      func(s *store.Store, tables ...string) (study.Results, error) { return p.Read(s, tables...) },
		Part:      func(s *store.Store) (study.Results, error) { return p.Part(s) },
	}
}

// Open reads the results of a preset from the store in a folder, of the worlds that are whole. It computes nothing:
// what is missing is made by
//
//	unlearnlab run remem --preset PRESET
func Open(folder, preset string) (*Results, error) {
	r, err := study.Open(Study, folder, preset)
	if err != nil {
		return nil, err
	}
	return r.(*Results), nil
}
