package salmu

import (
	"fmt"
	"maps"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Imported is the stage that reads a user's imported model.
var Imported = study.Stage[ImportedSpec]{Name: "salmu/imported", Version: 1}

// ImportedSpec identifies a user's imported model. The model uses the tokenizer of the model that it started from.
type ImportedSpec struct {
	Start study.Input `json:"start"`
	Model string      `json:"model"` // digest of the imported model, see [guest.Model]
}

// guestLabel labels the runs of an imported model with the model's name.
const guestLabel = "guest"

// host describes how the study judges imported models.
func (p *Plan) host() *study.Host {
	own := layout
	own.Bounds = maps.Clone(bounds)
	rank := bounds["rank"]
	rank.Last = func(part guest.Part) float64 {
		spec, _ := Judgement.Spec(p.Worlds[part.Repetition].Clean)
		return float64(2*spec.Each + 1) // the gallery has captions of two kinds, and the picture's own
	}
	own.Bounds["rank"] = rank
	scores := study.ScoreTable{Name: "scores", Layout: own, Sources: func(part guest.Part) []study.ScoreSource {
		return []study.ScoreSource{{Run: p.Worlds[part.Repetition].Clean, File: ScoresFile(0)}}
	}}
	h := &study.Host{Scores: []study.ScoreTable{scores}, Repetitions: len(p.Worlds), Tables: []string{"5"},
		Names: []string{targetRow, "Clean", "Compromised", "Independent"}}
	h.Fit = study.Fit{Keys: layout.Keys, Measure: "objects recognised, of those that the original recognises",
		Lost: "the model has lost its general knowledge",
		Like: func(part guest.Part) study.ScoreSource {
			return study.ScoreSource{Run: p.Worlds[part.Repetition].Compromised, File: ScoresFile(0)}
		},
		Agrees: func(_ guest.Part, own, original study.Example) (counts, agrees bool) {
			counts = original.Word("split") == Objects && original.Number("right") == 1
			return counts, counts && own.Number("right") == 1
		}}
	for _, m := range p.Preset.Methods {
		h.Names = append(h.Names, m.Title)
	}
	h.Plan = func(plan *study.Plan, g guest.Guest, part guest.Part) (study.GuestPart, error) {
		if part.Of != "" {
			return study.GuestPart{}, study.ErrNoPart
		}
		if part.Scores != "" {
			return h.AddScores(plan, g, part), nil
		}
		return p.guest(plan, g, part), nil
	}
	h.Admit = func(r study.Results, _ *store.Store, g *study.GuestRuns) error {
		return r.(*Results).set.Admit(g, named(clean)...)
	}
	return h
}

// guest plans the runs that import a user's model and judge it on the examples of the base models.
func (p *Plan) guest(plan *study.Plan, g guest.Guest, part guest.Part) study.GuestPart {
	compromised := p.Worlds[part.Repetition].Compromised
	plan.Join(compromised)
	spec, _ := Judgement.Spec(compromised)
	title := fmt.Sprintf("world %d: %s", part.Repetition, g.Name)
	role := study.Labels{guestLabel: g.Name}
	imported := Imported.AddAs(role, plan, title+", import", 1, ImportedSpec{Start: spec.Model, Model: part.Model})
	spec.Model = imported.Input()
	return study.GuestPart{Import: imported,
		Scores: []*study.Run{Judgement.AddAs(role, plan, title+", scores", 2, spec)}}
}
