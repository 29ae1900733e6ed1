package unslu

import (
	"fmt"
	"maps"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Imported is the stage that reads a user's imported model.
var Imported = study.Stage[ImportedSpec]{Name: "unslu/imported", Version: 1}

// ImportedSpec identifies a user's imported model.
type ImportedSpec struct {
	Corpus Corpus      `json:"corpus"`
	Start  study.Input `json:"start"` // original model, or its backbone if the imported model has all tensors
	Whole  bool        `json:"whole,omitempty"`
	Model  string      `json:"model"` // digest of the imported model, see [guest.Model]
}

// guestLabel labels the runs of an imported model with the model's name.
const guestLabel = "guest"

// UnknownCost is the training cost of an imported model, which is unknown. GUM and speed-up of the model are therefore
// unknown, too.
var UnknownCost = Cost{Seconds: math.NaN(), Passes: math.NaN()}

// host describes how the study judges imported models.
func (p *Plan) host() *study.Host {
	own := layout
	own.Bounds = maps.Clone(bounds)
	predicted := bounds["predicted"]
	predicted.Last = p.lastIntent
	own.Bounds["predicted"] = predicted
	scores := study.ScoreTable{Name: "scores", Layout: own, Sources: func(part guest.Part) []study.ScoreSource {
		benchmark := p.Worlds[part.Repetition].Benchmarks[p.Preset.place(part.Of)]
		return []study.ScoreSource{{Run: benchmark.Original, File: ScoresFile}}
	}}
	h := &study.Host{Scores: []study.ScoreTable{scores}, Repetitions: len(p.Worlds), PartColumn: "part",
		Tables: TableNumbers[:4], Names: []string{originalRow, goldRow},
		Also: map[string]*safefile.Frame{CostFile: safefile.FrameOf([]Cost{UnknownCost})}}
	h.Fit = study.Fit{Keys: layout.Keys, Measure: "clips of other speakers classified as by the original",
		Lost: "the model has lost what it should retain", Like: func(part guest.Part) study.ScoreSource {
			return scores.Sources(part)[0]
		},
		Agrees: func(_ guest.Part, own, original study.Example) (counts, agrees bool) {
			return original.Word("split") != Forget, own.Number("predicted") == original.Number("predicted")
		}}
	for _, m := range p.Preset.methods() {
		h.Names = append(h.Names, m.Title)
	}
	for _, b := range p.Preset.Benchmarks {
		h.Parts = append(h.Parts, b.Name())
	}
	h.Plan = func(plan *study.Plan, g guest.Guest, part guest.Part) (study.GuestPart, error) {
		if p.Preset.place(part.Of) < 0 {
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

// lastIntent returns the largest number of an intent in a part. It is infinite for published data.
func (p *Plan) lastIntent(part guest.Part) float64 {
	corpus := p.Preset.Benchmarks[p.Preset.place(part.Of)].Corpus
	if corpus.Published() {
		return math.Inf(1)
	}
	intents, err := speech.Intents(corpus.World.Language)
	if err != nil {
		panic(err) // the recordings are part of the program
	}
	return float64(len(intents) - 1)
}

// guest plans the runs that import a user's model and judge it.
func (p *Plan) guest(plan *study.Plan, g guest.Guest, part guest.Part) study.GuestPart {
	at := p.Preset.place(part.Of)
	b, start := p.Preset.Benchmarks[at], p.Worlds[part.Repetition].Benchmarks[at].OriginalTraining
	if part.Whole {
		start = p.Backbones[b.Backbone]
	}
	start = plan.Join(start)[0]
	title := fmt.Sprintf("world %d: %s, %s", part.Repetition, b.Name(), g.Name)
	role := study.Labels{guestLabel: g.Name, benchmarkLabel: b.Name()}
	imported := Imported.AddAs(role, plan, title+", import", 1, ImportedSpec{Corpus: b.corpus(part.Repetition),
		Start: start.Input(), Whole: part.Whole, Model: part.Model})
	scores := Judgement.AddAs(role, plan, title+", scores", 3, JudgementSpec{Corpus: b.corpus(part.Repetition),
		Model: imported.Input()})
	return study.GuestPart{Import: imported, Scores: []*study.Run{scores}}
}

// admit adds the scores of a user's imported models.
func (r *Results) admit(s *store.Store, g *study.GuestRuns) error {
	r.doubts.Add(g)
	scores := guestScores{Name: g.Name, Benchmarks: make([][]*study.Evaluation, len(r.Preset.Benchmarks))}
	for i := range scores.Benchmarks {
		scores.Benchmarks[i] = make([]*study.Evaluation, len(r.Worlds))
	}
	for _, part := range g.Parts {
		at := r.Preset.place(part.Of)
		for world := range r.Worlds {
			original := r.Worlds[world].Benchmarks[at].Original
			if original == nil || original.Repetition != part.Repetition {
				continue // the table does not show the benchmark or the world
			}
			m, err := readModel(s, part.Scores[0], part.Repetition, original)
			if err != nil {
				return err
			}
			scores.Benchmarks[at][world] = m.Evaluation
		}
	}
	r.guests = append(r.guests, scores)
	return nil
}

// guestRows returns the rows of imported models on a benchmark. The prefix has the upper levels of the rows' names.
func (r *Results) guestRows(benchmark int, prefix []string) (rows []study.Row) {
	for _, g := range r.guests {
		has := 0
		for _, e := range g.Benchmarks[benchmark] {
			if e != nil {
				has++
			}
		}
		if has > 0 {
			title := study.GuestTitle(g.Name, has, len(r.Worlds), Worlds)
			rows = append(rows, study.GuestRow(append(prefix[:len(prefix):len(prefix)], title), g.Benchmarks[benchmark]...))
		}
	}
	return rows
}

// guestsOf returns the rows of imported models that belong to a part of a table.
func (r *Results) guestsOf(p part) []study.Row {
	levels := p.Rows[0].Levels
	if len(levels) == 1 { // Table 4 has a single benchmark; Table 5 has its own originals
		if at := r.Preset.place(epochsBenchmark); at >= 0 && p.Rows[0].Name == originalRow {
			return r.guestRows(at, nil)
		}
		return nil
	}
	prefix := levels[:len(levels)-1]
	for i, b := range r.Preset.Benchmarks {
		if b.Set == prefix[0] && b.Model == prefix[1] {
			return r.guestRows(i, prefix)
		}
	}
	return nil
}

// withGuests inserts the cells of imported models below the cells of their benchmark. P-values are corrected within
// each imported row, so that imported models do not change other rows.
func (r *Results) withGuests(parts []part, cells []certify.Cell) (all []certify.Cell) {
	for _, p := range parts {
		own := len(p.Rows) * len(p.Columns)
		all, cells = append(all, cells[:own]...), cells[own:]
		for _, row := range r.guestsOf(p) {
			all = append(all, table.Cells([]study.Row{row}, p.Columns)...)
		}
	}
	return all
}

// guestParts returns the parts of a table, including the rows of imported models.
func (r *Results) guestParts(number string) ([]part, error) {
	parts, err := r.parts(number)
	for i := range parts {
		parts[i].Rows = append(parts[i].Rows, r.guestsOf(parts[i])...)
	}
	return parts, err
}
