package papers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
)

// TestStories tells the stories of the shipped results: no number is missing, and what they name exists.
func TestStories(t *testing.T) {
	for _, s := range papers.All {
		t.Run(s.Paper, func(t *testing.T) {
			t.Parallel()
			summary := summaryOf(t, s)
			told := s.FillStory(summary.Results, summary.answers)
			for _, problem := range told.Problems {
				t.Error(problem)
			}
			if got, want := len(told.Points), len(s.Story.Points); got != want {
				t.Errorf("%d of %d points are claims of the study", got, want)
			}
			for _, p := range told.Panels {
				if len(p.Rows) < 4 {
					t.Errorf("the panel %q has %d rows", p.Title, len(p.Rows))
				}
			}
			findings, err := s.Audit.Findings()
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range s.Story.Contradictions {
				for _, check := range c.Checks {
					if !slices.ContainsFunc(findings, func(f audit.Finding) bool {
						return f.Check == check && f.Verdict == audit.Inconsistent
					}) {
						t.Errorf("no check %q finds an inconsistency", check)
					}
				}
			}
			if !strings.HasPrefix(s.Story.Link, "https://") || s.Story.Quote == "" || s.Story.Place == "" {
				t.Errorf("the story cites %+v", s.Story)
			}
		})
	}
}
