package main

import (
	"context"
	"testing"

	madeupConcealment "github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment/madeup"
	madeupReMem "github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem/madeup"
	madeupSALMU "github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu/madeup"
	madeupUnSLU "github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// madeUp is what makes the scores of each study up.
var madeUp = map[string]study.Makers{
	"salmu":       madeupSALMU.Makers(),
	"remem":       madeupReMem.Makers(),
	"unslu":       madeupUnSLU.Makers(),
	"concealment": madeupConcealment.Makers(),
}

// madeUpHome is a laboratory in which the smoke preset of a study has made-up scores.
func madeUpHome(t *testing.T, s *study.Study) string {
	t.Helper()
	home := t.TempDir()
	if err := makeUp(t.Context(), home, s); err != nil {
		t.Fatal(err)
	}
	return home
}

// makeUp fills a home with made-up results of a study's smoke preset.
func makeUp(ctx context.Context, home string, s *study.Study) error {
	results, err := store.Open(home, store.Above(s.Shelves()...))
	if err != nil {
		return err
	}
	plan, err := s.Plan(study.Request{Preset: "smoke"})
	if err != nil {
		return err
	}
	return plan.Execute(ctx, results, madeUp[s.Paper], study.Options{Workers: 1})
}
