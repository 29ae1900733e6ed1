package remem

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Imported is the stage that reads a user's imported model.
var Imported = study.Stage[ImportedSpec]{Name: "remem/imported", Version: 1}

// ImportedSpec identifies a user's imported model. The model has the vocabulary of the model that it started from.
type ImportedSpec struct {
	Start study.Input `json:"start"` // the taught model, or the base model if the imported model has all tensors
	Model string      `json:"model"` // digest of the imported model, see [guest.Model]
}

// guestLabel labels the runs of an imported model with the model's name.
const guestLabel = "guest"

// host describes how the study judges imported models. An imported model should have forgotten the largest number of
// people in the preset.
func (p *Plan) host() *study.Host {
	h := &study.Host{Scores: p.scoreTables(), Repetitions: len(p.Worlds), PartColumn: "size",
		Tables: []string{methodsTable}, Names: []string{beforeRow, goldRow, baseRow}}
	h.Fit = study.Fit{Keys: []string{"id", "question", "reference"}, Measure: "questions about other people answered as by the original",
		Lost: "the model has lost what it should retain", Like: p.original,
		Agrees: func(_ guest.Part, own, original study.Example) (counts, agrees bool) {
			return own.Word("part") == PartRetain, own.Word("output") == original.Word("output")
		}}
	for _, m := range p.Preset.Methods {
		h.Names = append(h.Names, m.Title)
	}
	for _, s := range p.Preset.Sizes {
		h.Parts = append(h.Parts, s.Name)
	}
	h.Plan = func(plan *study.Plan, g guest.Guest, part guest.Part) (study.GuestPart, error) {
		size := p.Preset.size(part.Of)
		if size < 0 || p.Preset.Sizes[size].Published != "" {
			return study.GuestPart{}, study.ErrNoPart
		}
		if part.Scores != "" {
			return h.AddScores(plan, g, part), nil
		}
		return p.guest(plan, g, part, size), nil
	}
	h.Admit = func(r study.Results, s *store.Store, g *study.GuestRuns) error { return r.(*Results).admit(s, g) }
	return h
}

// size returns the index of a size of models, or -1.
func (p Preset) size(name string) int {
	return slices.IndexFunc(p.Sizes, func(s SizePreset) bool { return s.Name == name })
}

// guest plans the runs for an imported model: the import, its answers to the gold model's questions, and relearning.
func (p *Plan) guest(plan *study.Plan, g guest.Guest, part guest.Part, size int) study.GuestPart {
	runs := p.Worlds[part.Repetition].Sizes[size]
	start := runs.Taught.Model
	if part.Whole {
		start = p.Bases[size]
	}
	start = plan.Join(start)[0]
	title := fmt.Sprintf("world %d, size %s: %s", part.Repetition, part.Of, g.Name)
	role := study.Labels{guestLabel: g.Name, sizeLabel: part.Of}
	imported := Imported.AddAs(role, plan, title+", import", 1, ImportedSpec{Start: start.Input(), Model: part.Model})
	asked, _ := Judgement.Spec(runs.Gold.Scores)
	asked.Model = imported.Input()
	scores := []*study.Run{Judgement.AddAs(role, plan, title+", scores", 15, asked)}
	if runs.Gold.Relearnt != nil {
		learns, _ := Relearnt.Spec(runs.Gold.Relearnt)
		learns.Model = imported.Input()
		scores = append(scores, Relearnt.AddAs(role, plan, title+", learning half again", 20, learns))
	}
	return study.GuestPart{Import: imported, Scores: scores}
}

// admit adds the scores of a user's imported models.
func (r *Results) admit(s *store.Store, g *study.GuestRuns) error {
	r.doubts.Add(g)
	if len(r.Worlds) == 0 {
		return nil // without worlds, the tables show no results
	}
	scores := guestScores{Name: g.Name, Sizes: make([][]guestModel, len(r.Preset.Sizes))}
	for i := range scores.Sizes {
		scores.Sizes[i] = make([]guestModel, len(r.Worlds))
	}
	for _, part := range g.Parts {
		size := r.Preset.size(part.Of)
		world := slices.IndexFunc(r.Worlds, func(w WorldScores) bool {
			return w.Sizes[size].Gold.from.Repetition == part.Repetition
		})
		if world < 0 {
			continue // the world is not complete
		}
		m := &scores.Sizes[size][world]
		var err error
		if m.Model, err = readModel(s, part.Repetition, part.Scores[0]); err != nil {
			return err
		}
		if len(part.Scores) > 1 {
			m.Helped.Relearnt, err = r.Preset.relearning().Load(s, study.Reading{Run: part.Scores[1], For: study.ForValue,
				Repetition: part.Repetition, File: RelearntFile(0)}, nil)
			if err != nil {
				return err
			}
		}
	}
	r.guestScores = append(r.guestScores, scores)
	return nil
}

// with returns the results of one size in the worlds that the user has imported: own, in which the imported model is the
// only method, and beside, in which it is the last one. It returns nil if the user imported no model of the size.
func (r *Results) with(g guestScores, size int) (own, beside *Results) {
	own = &Results{Preset: r.Preset, store: r.store, judged: r.judged, lack: r.lack}
	last := r.Preset.last()
	own.Preset.Sizes, own.Preset.Forget = r.Preset.Sizes[size:size+1], r.Preset.Forget[last:]
	copied := *own
	beside = &copied
	for world, m := range g.Sizes[size] {
		if m.Model == nil {
			continue
		}
		s := r.Worlds[world].Sizes[size]
		s.Befores, s.golds = s.Befores[last:], s.golds[last:]
		all := s
		all.Methods = [][]*Model{append(slices.Clone(s.Methods[last]), m.Model)}
		beside.Worlds = append(beside.Worlds, WorldScores{Sizes: []SizeScores{all}})
		s.Methods = [][]*Model{{m.Model}}
		if len(s.helped) > 1 {
			s.helped = []helped{s.helped[0], s.helped[1], m.Helped}
		}
		own.Worlds = append(own.Worlds, WorldScores{Sizes: []SizeScores{s}})
	}
	if len(own.Worlds) == 0 {
		return nil, nil
	}
	title := study.GuestTitle(g.Name, len(own.Worlds), len(r.Worlds), Worlds)
	own.Preset.Methods = []Method{{Entry: catalogue.Entry{Title: title}}}
	beside.Preset.Methods = append(slices.Clone(r.Preset.Methods), own.Preset.Methods...)
	return own, beside
}

// guests calls do for each imported model of a size, with the results of [Results.with].
func (r *Results) guests(size int, do func(own, beside *Results)) {
	for _, g := range r.guestScores {
		if own, beside := r.with(g, size); own != nil {
			do(own, beside)
		}
	}
}

// guestCells returns the cells of imported models of a size in Table 2. P-values are corrected within each imported
// row, so that imported models do not change other rows.
func (r *Results) guestCells(size int) (cells []certify.Cell) {
	r.guests(size, func(own, _ *Results) {
		p := own.guestPart()
		cells = append(cells, table.Cells(p.Rows, p.Columns)...)
	})
	return cells
}

// guestPart returns the row of an imported model in Table 2. r must come from [Results.with].
func (r *Results) guestPart() part {
	lines := r.methodLines(0, 0)
	p := r.lay(0, methodColumns(), lines[len(lines)-1])
	p.Rows[0].Guest = true
	return p
}

// withGuests inserts the cells of imported models below the cells of their size.
func (r *Results) withGuests(parts []part, cells []certify.Cell) (all []certify.Cell) {
	for size, p := range parts {
		own := len(p.Rows) * len(p.Columns)
		all, cells = append(append(all, cells[:own]...), r.guestCells(size)...), cells[own:]
	}
	return all
}

// guestParts returns the rows of imported models in Table 2, as parts of the table. Other tables have none.
func (r *Results) guestParts(number string) (parts []part) {
	for size := range r.Preset.Sizes {
		if number == methodsTable {
			r.guests(size, func(own, _ *Results) { parts = append(parts, own.guestPart()) })
		}
	}
	return parts
}

// guestVerdicts returns the verdicts on imported models. Bonferroni's correction is over the sizes of one model.
func (r *Results) guestVerdicts() (all []Assessment) {
	for _, g := range r.guestScores {
		var own []Assessment
		for size := range r.Preset.Sizes {
			if part, _ := r.with(g, size); part != nil {
				own = append(own, part.assess(0, 0))
			}
		}
		for i := range own {
			a := &own[i]
			a.Guest = true
			a.Left.Count, a.Gain.Count, a.Kept.Count = len(own), len(own), len(own)
			a.judge(ownThresholds)
		}
		all = append(all, own...)
	}
	return all
}
