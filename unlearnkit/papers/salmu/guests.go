package salmu

import (
	"fmt"
	"maps"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
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
	h.Admit = func(r study.Results, s *store.Store, g *study.GuestRuns) error {
		return r.(*Results).admit(s, g)
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

// admit adds the scores of a user's imported models.
func (r *Results) admit(s *store.Store, g *study.GuestRuns) error {
	r.doubts.Add(g)
	scores := guestScores{Name: g.Name, Worlds: make([]*study.Evaluation, len(r.Worlds))}
	any := false
	for _, part := range g.Parts {
		world := r.place(part.Repetition)
		if world < 0 {
			continue // the world is not complete
		}
		read, err := readRun(s, part.Scores[0], []int{0}, part.Repetition, r.Worlds[world].Clean)
		if err != nil {
			return err
		}
		scores.Worlds[world], any = read[0], true
	}
	if any {
		r.guests = append(r.guests, scores)
	}
	return nil
}

// place returns the index of a world in the results, or -1 if the results lack it.
func (r *Results) place(world int) int {
	for i, w := range r.Worlds {
		if w.Clean.Repetition == world {
			return i
		}
	}
	return -1
}

// guestRows returns the rows of imported models.
func (r *Results) guestRows() (rows []row) {
	for _, g := range r.guests {
		has := 0
		for _, e := range g.Worlds {
			if e != nil {
				has++
			}
		}
		rows = append(rows, study.GuestRow([]string{study.GuestTitle(g.Name, has, len(r.Worlds), Worlds)}, g.Worlds...))
	}
	return rows
}

// guestCells returns the cells of imported models. P-values are corrected within each imported row, so that imported
// models do not change other rows.
func (r *Results) guestCells(metrics []study.Metric) (cells []certify.Cell) {
	for _, row := range r.guestRows() {
		cells = append(cells, r.certify([]study.Row{row}, metrics)...)
	}
	return cells
}
