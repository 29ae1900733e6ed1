// Package madeup fills homes with made-up results for tests.
package madeup

import (
	"context"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	concealment "github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment/madeup"
	remem "github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem/madeup"
	salmu "github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu/madeup"
	unslu "github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

var makers = map[string]study.Makers{
	"salmu":       salmu.Makers(),
	"remem":       remem.Makers(),
	"unslu":       unslu.Makers(),
	"concealment": concealment.Makers(),
}

// Home returns a new home in which the preset smoke of a study has made-up results.
func Home(t *testing.T, s *study.Study) string {
	t.Helper()
	home := t.TempDir()
	if err := fill(t.Context(), home, s); err != nil {
		t.Fatal(err)
	}
	return home
}

// FillAll fills a home with made-up results of the preset smoke of all studies.
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
	return plan.Execute(ctx, results, makers[s.Paper], study.Options{Workers: 1})
}
