package unslu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

const heardTable = "heard"

// heardComparison compares the attack on all test clips with the attack on test clips whose sentences the gold model
// knows. The gold model was trained on these sentences, spoken by other speakers. It also knows the sentence of nearly
// every forget clip.
type heardComparison struct {
	Benchmark string
	New       float64 // share of test clips with sentences new to the gold model, mean over worlds
	// Accuracy of the gold model on test clips with sentences that it was trained on, and with new sentences.
	Known, Unknown certify.Cell
	// MIA of the original, MIA of the gold model, and their difference. The first three use all test clips, the last
	// three only test clips with known sentences.
	Original, Gold, Gap                certify.Cell
	OriginalHeard, GoldHeard, GapHeard certify.Cell
}

// heardComparisons returns one comparison per benchmark with generated data.
func (r *Results) heardComparisons() (all []heardComparison, err error) {
	for i, b := range r.Preset.Benchmarks {
		if b.Corpus.Published() {
			continue
		}
		var known []map[string]bool // IDs of test clips with known sentences, by world
		for world := range r.Worlds {
			ids, err := knownSentences(b.corpus(world).World, r.Worlds[world].Benchmarks[i].Gold.Scores.ofSplit(Forget))
			if err != nil {
				return nil, err
			}
			known = append(known, ids)
		}
		original := func(world int) Scores { return r.Worlds[world].Benchmarks[i].Original.Scores }
		golds := func(world int) Scores { return r.Worlds[world].Benchmarks[i].Gold.Scores }
		part := func(of func(world int) Scores, heard bool) func(world int) Scores {
			return func(world int) Scores { return of(world).withTest(known[world], heard) }
		}
		mia := func(of func(world int) Scores) func(world int) float64 {
			return func(world int) float64 {
				scores := of(world)
				return attack(scores.ofSplit(Forget).losses(), scores.ofSplit(Test).losses(), Test).MIA
			}
		}
		accuracy := func(of func(world int) Scores) func(world int) float64 {
			return func(world int) float64 { return of(world).ofSplit(Test).classified().Accuracy }
		}
		less := func(a, b func(world int) float64) certify.Cell {
			return r.estimate(func(world int) float64 { return a(world) - b(world) })
		}
		h := heardComparison{Benchmark: b.Name(), Known: r.estimate(accuracy(part(golds, true))),
			Unknown:  r.estimate(accuracy(part(golds, false))),
			Original: r.estimate(mia(original)), Gold: r.estimate(mia(golds)),
			Gap:           less(mia(original), mia(golds)),
			OriginalHeard: r.estimate(mia(part(original, true))), GoldHeard: r.estimate(mia(part(golds, true))),
			GapHeard: less(mia(part(original, true)), mia(part(golds, true)))}
		for world := range r.Worlds {
			clips := golds(world).ofSplit(Test)
			h.New += float64(len(part(golds, false)(world).ofSplit(Test))) / float64(len(clips)) / float64(len(r.Worlds))
		}
		all = append(all, h)
	}
	return all, nil
}

// knownSentences returns the IDs of the clips of a world whose sentences occur in the gold model's training clips.
func knownSentences(world speech.Config, forget Scores) (map[string]bool, error) {
	set, err := speech.Make(world)
	if err != nil {
		return nil, err
	}
	leaves, said, ids := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range forget {
		leaves[s.ID] = true
	}
	for _, u := range set.Train {
		if !leaves[u.ID] {
			said[u.Text] = true
		}
	}
	for _, u := range slices.Concat(set.Train, set.Validation, set.Test) {
		if said[u.Text] {
			ids[u.ID] = true
		}
	}
	return ids, nil
}

// withTest returns the scores without some test clips. It keeps the test clips whose IDs are in ids if heard is true,
// and the other test clips if heard is false.
func (s Scores) withTest(ids map[string]bool, heard bool) (kept Scores) {
	for _, score := range s {
		if score.Split != Test || ids[score.ID] == heard {
			kept = append(kept, score)
		}
	}
	return kept
}

// heard tabulates the comparisons of attacks.
func (r *Results) heard() (*report.Table, error) {
	all, err := r.heardComparisons()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has no small worlds, whose sentences are known"}
	}
	t := &report.Table{Title: fmt.Sprintf("The attack with only test clips of known sentences (%s)", r.Preset.Name),
		Corner: "Benchmark"}
	for _, name := range []string{"new sentences", "Acc_T(g), known", "Acc_T(g), new", "MIA(g)", "MIA(g), known",
		"MIA(o)", "MIA(o), known", "gap", "gap, known"} {
		t.Columns = append(t.Columns, report.Column{Name: name})
	}
	for _, h := range all {
		row := report.Named(r.Preset.levels(h.Benchmark)...).With(report.Number(fmt.Sprintf("%.3f", h.New), h.New))
		for _, c := range []certify.Cell{h.Known, h.Unknown, h.Gold, h.GoldHeard, h.Original, h.OriginalHeard, h.Gap,
			h.GapHeard} {
			row.Cells = append(row.Cells, short(c))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Note = "New sentences: the share of test clips with a sentence that gold has never heard. Gold has heard " +
		"the sentence of nearly every forget clip from other speakers, so an attack with all test clips " +
		"separates new sentences from known ones as well as strangers from forget speakers. Known: the same " +
		"attack without clips of new sentences. Gap: MIA of the original minus gold's. Means over worlds with " +
		"95 % intervals."
	return t, nil
}
