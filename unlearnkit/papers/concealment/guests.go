package concealment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Imported is the stage that reads a user's imported model.
var Imported = study.Stage[ImportedSpec]{Name: "concealment/imported", Version: 1}

// ImportedSpec identifies a user's imported model.
type ImportedSpec struct {
	Start study.Input `json:"start"` // original model
	Model string      `json:"model"` // digest of the imported model, see [guest.Model]
}

// host describes how the study judges imported models. A user imports models like a method: for each erased concept,
// one model for each training seed.
func (p *Plan) host() *study.Host {
	h := &study.Host{Scores: p.scoreTables(), Repetitions: p.Preset.Seeds, PartColumn: "concept",
		Tables: tableNumbers[:3], Names: []string{"gold", "original"}}
	h.Fit = study.Fit{Keys: []string{"prompt", "number"}, Measure: "pictures of the concept that do not show it",
		Like: func(part guest.Part) study.ScoreSource { return h.Scores[0].Sources(part)[0] },
		Agrees: func(part guest.Part, own, _ study.Example) (counts, agrees bool) {
			erased := erasure(part.Of).Concept
			return asks(own.Word("prompt"), erased), !erased.Covers(labelsOf(own))
		}}
	for _, m := range p.Preset.Methods {
		h.Names = append(h.Names, m.Title)
	}
	for _, e := range p.Preset.erasures() {
		h.Parts = append(h.Parts, e.Paper)
	}
	h.Plan = func(plan *study.Plan, g guest.Guest, part guest.Part) (study.GuestPart, error) {
		if !slices.Contains(h.Parts, part.Of) || p.Preset.Originals {
			return study.GuestPart{}, study.ErrNoPart
		}
		if part.Scores != "" {
			return h.AddScores(plan, g, part), nil
		}
		return p.guest(plan, g, part), nil
	}
	h.Admit = func(r study.Results, s *store.Store, g *study.GuestRuns) error { return r.(*Results).admit(s, g) }
	return h
}

// attacksOn returns the indices of the tables' prompts for an erased concept.
func (p *Plan) attacksOn(erased string) (indices []int) {
	for i, a := range p.Attacked {
		if a.Erasure.Paper == erased && a.Prompt.Table > 0 {
			indices = append(indices, i)
		}
	}
	return indices
}

// guest plans the runs for an imported model: the import, the judged pictures, and the same attacks as on gold.
func (p *Plan) guest(plan *study.Plan, g guest.Guest, part guest.Part) study.GuestPart {
	original := plan.Join(p.Original.Run)[0]
	title := fmt.Sprintf("%s of %s, seed %d", g.Name, part.Of, p.Preset.seed(part.Repetition))
	imported := Imported.Add(plan, title+", import", 1, ImportedSpec{Start: original.Input(), Model: part.Model})
	plan.Join(p.judge)
	look, _ := Samples.Spec(p.gold(erasure(part.Of)).Look)
	look.Model = imported.Input()
	scores := []*study.Run{Samples.Add(plan, title+", a look at its pictures", .3*float64(look.Each), look)}
	for _, i := range p.attacksOn(part.Of) {
		attack, _ := Attack.Spec(p.Attacked[i].Gold)
		attack.Other, attack.Sheet = imported.Input(), false
		scores = append(scores, Attack.Add(plan, fmt.Sprintf("attack with %q on %s", p.Attacked[i].Prompt.Paper, title), 6,
			attack))
	}
	return study.GuestPart{Import: imported, Scores: scores}
}

// admit adds the scores of a user's imported models.
func (r *Results) admit(s *store.Store, g *study.GuestRuns) error {
	r.doubts.Add(g)
	for _, part := range g.Parts {
		at := slices.IndexFunc(r.guests, func(o *guestScores) bool {
			return o.Name == g.Name && o.Erasure.Paper == part.Of
		})
		if at < 0 {
			prompts := r.plan.attacksOn(part.Of)
			r.guests = append(r.guests, &guestScores{Name: g.Name, Erasure: erasure(part.Of), prompts: prompts,
				Attacks: make([][]*Attacked, len(prompts))})
			at = len(r.guests) - 1
		}
		if err := r.guests[at].read(s, r, part); err != nil {
			return err
		}
	}
	return nil
}

func (g *guestScores) read(s *store.Store, r *Results, part study.GuestPart) error {
	views, err := readViews(s, part.Scores[0], ViewsFile)
	if err != nil {
		return err
	}
	g.Seeds, g.Views, g.runs = append(g.Seeds, part.Repetition), append(g.Views, views), append(g.runs, part)
	for i, prompt := range g.prompts {
		if r.Attacks[prompt].Gold == nil {
			continue // the attack's table was not read
		}
		attacked, _, err := readAttack(s, part.Scores[1+i], r.Attacks[prompt].Gold)
		if err != nil {
			return err
		}
		g.Attacks[i] = append(g.Attacks[i], attacked)
	}
	return nil
}

// withGuest returns the results in which an imported model is the only method, for the training seeds that the user has
// imported.
func (r *Results) withGuest(g *guestScores) *Results {
	own := *r
	title := study.GuestTitle(g.Name, len(g.Seeds), r.Preset.Seeds, TrainingSeeds)
	method := Method{Entry: catalogue.Entry{Title: title}, Erased: []string{g.Erasure.Paper}}
	own.Preset.Seeds, own.Preset.Methods, own.Preset.Prompts, own.Preset.Judged = len(g.Seeds), []Method{method}, nil, 0
	own.guests, own.controls, own.Second, own.moves, own.Attacks = nil, nil, nil, nil, nil
	own.Pairs = []PairScores{{Method: method, Erasure: g.Erasure, Views: g.Views}}
	plan := *r.plan
	pair := Pair{Method: method, Erasure: g.Erasure}
	for _, part := range g.runs {
		pair.Models = append(pair.Models, Model{Erasure: g.Erasure, Run: part.Import, Look: part.Scores[0]})
	}
	plan.Pairs, plan.Attacked = []Pair{pair}, nil
	for i, prompt := range g.prompts {
		scores, runs := r.Attacks[prompt], r.plan.Attacked[prompt]
		if scores.Gold == nil {
			continue
		}
		scores.Prompt.Method, scores.Unlearned = title, g.Attacks[i]
		runs.Prompt, runs.Unlearned = scores.Prompt, nil
		for _, part := range g.runs {
			runs.Unlearned = append(runs.Unlearned, part.Scores[1+i])
		}
		own.Attacks, plan.Attacked = append(own.Attacks, scores), append(plan.Attacked, runs)
		own.Preset.Prompts = append(own.Preset.Prompts, scores.Prompt)
	}
	own.plan = &plan
	return &own
}

// guestRow is the row of an imported model in a table, with the results that it is computed from.
type guestRow struct {
	*AttackScores
	of    *Results
	title string
	seeds []int // imported training seeds
}

func (g guestRow) levels() []string { return []string{g.Prompt.Paper, g.title} }

func (g guestRow) name() string { return strings.Join(g.levels(), "/") }

// guestRows returns the rows of imported models in a table, grouped by model.
func (r *Results) guestRows(number string) (all [][]guestRow) {
	for _, g := range r.guests {
		own := r.withGuest(g)
		var rows []guestRow
		for _, row := range own.rowsOf(number) {
			rows = append(rows, guestRow{row, own, own.Preset.Methods[0].Title, g.Seeds})
		}
		all = append(all, rows)
	}
	return all
}

// guestCells returns the cells of imported models in a table. P-values are corrected within one imported model and
// concept, so that imported models do not change other rows.
func (r *Results) guestCells(number string) (all []certify.Cell) {
	for _, rows := range r.guestRows(number) {
		var cells []certify.Cell
		for _, row := range rows {
			for _, cell := range row.of.rowCells(row.AttackScores) {
				cell.Row, cell.Levels, cell.Guest = row.name(), row.levels(), true
				cells = append(cells, cell)
			}
		}
		certify.Adjust(cells)
		all = append(all, cells...)
	}
	return all
}

// guestVerdicts returns the verdicts on imported models, by concept.
func (r *Results) guestVerdicts() (all []Assessment) {
	for _, g := range r.guests {
		own := r.withGuest(g)
		if len(own.Attacks) == 0 {
			continue
		}
		for _, v := range own.Verdicts() {
			if v.group.erased != "" {
				all = append(all, v)
			}
		}
	}
	return all
}
