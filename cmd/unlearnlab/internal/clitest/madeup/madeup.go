// Package madeup fills homes with made-up results for tests.
package madeup

import (
	"context"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Home returns a new home with made-up results of a study's smoke preset.
func Home(t *testing.T, s *study.Study) string {
	t.Helper()
	home := t.TempDir()
	if err := fill(t.Context(), home, s); err != nil {
		t.Fatal(err)
	}
	return home
}

// FillAll fills a home with made-up results of all studies' smoke presets.
func FillAll(home string) {
	for _, s := range papers.All {
		if err := fill(context.Background(), home, s); err != nil {
			panic(err)
		}
	}
}

func fill(ctx context.Context, home string, s *study.Study) error {
	results, err := store.Open(home, store.Above(s.Shelves()...))
	if err != nil {
		return err
	}
	plan, err := s.Plan(study.Request{Preset: preset.Smoke})
	if err != nil {
		return err
	}
	return plan.Execute(ctx, results, madeup.Makers(), study.Options{Workers: 1})
}

// Guest adds a guest, a model from outside the study, to a home from [Home] or [FillAll]. It gets the scores of the
// study's model that supplies the examples.
func Guest(t *testing.T, home string, s *study.Study, name string) {
	t.Helper()
	results, err := store.Open(home, store.Above(s.Shelves()...))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Plan(study.Request{Preset: preset.Smoke})
	if err != nil {
		t.Fatal(err)
	}
	part := guest.Part{Scores: "made up"}
	if plan.Host.Parts != nil {
		part.Of = plan.Host.Parts[0]
	}
	frames := study.Frames{}
	for _, table := range plan.Host.Scores {
		for _, source := range table.Sources(part) {
			artifact, err := results.Get(source.Run.Key())
			if err != nil {
				t.Fatal(err)
			}
			frame, err := artifact.ReadTable(source.File)
			if err != nil {
				t.Fatal(err)
			}
			frames[part.Scores] = append(frames[part.Scores], study.ScoreFile{Like: source.Run.Input(), Name: source.File,
				Frame: frame})
		}
	}
	g := guest.Guest{Name: name, Parts: []guest.Part{part}}
	runs, err := plan.Host.Guest(g)
	if err != nil {
		t.Fatal(err)
	}
	makers := study.NewMakers(frames.Maker(plan.Host.Also))
	if err := runs.Make(t.Context(), results, makers, study.Options{}, runs.Own()...); err != nil {
		t.Fatal(err)
	}
	if err := guest.Save(results, s.Paper, g); err != nil {
		t.Fatal(err)
	}
}
