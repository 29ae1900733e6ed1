package papers_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
)

// placed is a model whose scores ship, as a guest of a repetition and part.
type placed struct {
	title string
	run   *study.Run
	place guest.Part
}

// Shipped scores fit the part that they belong to, and no other part with the same examples.
func TestCheckFit_OtherPart(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads what ships")
	}
	for _, test := range []struct {
		study *study.Study
		host  *study.Host
		own   []placed            // originals, or in concealment gold models, and models of methods
		other func(p placed) bool // whether the scores must be refused in the next part
	}{
		{unslu.Study, unslu.NewPlan(unslu.Mini()).PresetPlan().Host, unsluModels(), func(p placed) bool {
			return p.title == "original"
		}},
		{remem.Study, remem.NewPlan(remem.Mini()).PresetPlan().Host, rememModels(), func(placed) bool { return false }},
		{concealment.Study, concealment.NewPlan(concealment.Mini()).PresetPlan().Host, concealmentModels(),
			func(p placed) bool { return p.title == "gold" && !unasked[p.place.Of] }},
	} {
		t.Run(test.study.Paper, func(t *testing.T) {
			s, err := test.study.OpenStore(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			refused := 0
			for _, m := range test.own {
				check := func(p guest.Part) error {
					_, err := test.host.CheckFit(s, study.GuestPart{Part: p, Scores: []*study.Run{m.run}}, nil)
					if err != nil && !errors.As(err, new(*study.Misfit)) {
						t.Fatal(err)
					}
					return err
				}
				if err := check(m.place); err != nil {
					t.Errorf("%s in its own place: %v", m.run.Title, err)
				}
				next := m.place
				next.Of = sibling(test.host, m.place.Of)
				err := check(next)
				if err != nil {
					refused++
				}
				if test.other(m) && err == nil {
					t.Errorf("%s is not refused in %s", m.run.Title, next.Of)
				}
			}
			t.Logf("%d of %d models are refused in another part", refused, len(test.own))
		})
	}
}

// unasked holds the concepts that no prompt of a look at a model's pictures asks for.
var unasked = map[string]bool{"Nudity": true, "R2D2": true}

// sibling returns a part with the same examples: the neighbour in a pair, or in concealment the next concept that is
// asked for.
func sibling(h *study.Host, of string) string {
	at := slices.Index(h.Parts, of)
	if h.PartColumn != "concept" {
		return h.Parts[at^1]
	}
	for at = (at + 1) % len(h.Parts); unasked[h.Parts[at]]; at = (at + 1) % len(h.Parts) {
	}
	return h.Parts[at]
}

func unsluModels() (all []placed) {
	plan := unslu.NewPlan(unslu.Mini())
	for world, w := range plan.Worlds[:2] {
		for i, b := range w.Benchmarks {
			place := guest.Part{Repetition: world, Of: plan.Preset.Benchmarks[i].Name()}
			all = append(all, placed{"original", b.Original, place}, placed{"gold", b.Gold, place})
			for _, rates := range b.Methods {
				all = append(all, placed{"method", rates[0], place})
			}
		}
	}
	return all
}

func rememModels() (all []placed) {
	plan := remem.NewPlan(remem.Mini())
	for world, w := range plan.Worlds {
		for i, size := range w.Sizes {
			place := guest.Part{Repetition: world, Of: plan.Preset.Sizes[i].Name}
			all = append(all, placed{"gold", size.Gold.Scores, place})
			for _, m := range size.Methods[len(size.Methods)-1] {
				all = append(all, placed{"method", m.Scores, place})
			}
		}
	}
	return all
}

func concealmentModels() (all []placed) {
	plan := concealment.NewPlan(concealment.Mini())
	host := plan.PresetPlan().Host
	for _, of := range host.Parts {
		place := guest.Part{Of: of}
		all = append(all, placed{"gold", host.Scores[0].Sources(place)[0].Run, place})
	}
	for _, pair := range plan.Pairs {
		for seed, m := range pair.Models {
			all = append(all, placed{"method", m.Look, guest.Part{Repetition: seed, Of: pair.Erasure.Paper}})
		}
	}
	return all
}

// Files with the scores of each world under the number of the next world are refused, and the error names the world.
func TestReadScores_OtherWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads what ships")
	}
	for _, test := range []struct {
		study *study.Study
		host  *study.Host
		of    string
		says  string
	}{
		{salmu.Study, salmu.NewPlan(salmu.Mini()).PresetPlan().Host, "",
			"given as world 4: it belongs to world 0 (its rows are the examples of that part)"},
		{unslu.Study, unslu.NewPlan(unslu.Mini()).PresetPlan().Host, "ITALIC/XLS-R 128",
			"given as world 4, ITALIC/XLS-R 128: it belongs to world 0, ITALIC/XLS-R 128 (its rows are the clips of that part)"},
		{remem.Study, remem.NewPlan(remem.Mini()).PresetPlan().Host, "L",
			"given as world 4, L: it belongs to world 0, L (its rows are the answers of that part)"},
	} {
		t.Run(test.study.Paper, func(t *testing.T) {
			s, err := test.study.OpenStore(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			var parts []guest.Part
			for repetition := range test.host.Repetitions {
				parts = append(parts, guest.Part{Repetition: repetition, Of: test.of})
			}
			folder := ownScores(t, s, test.host, parts, func(p guest.Part, from study.ScoreSource) (*study.Run, string) {
				p.Repetition = (p.Repetition + 1) % test.host.Repetitions
				for _, table := range test.host.Scores {
					for _, source := range table.Sources(p) {
						if source.File == from.File && source.Case == from.Case {
							return source.Run, source.File
						}
					}
				}
				t.Fatalf("world %d has no %s", p.Repetition, from.File)
				return nil, ""
			})
			_, _, err = test.host.ReadScores(s, folder, -1)
			if !errors.As(err, new(*study.Misfit)) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got  %v\nwant %s", err, test.says)
			}
		})
	}
}
