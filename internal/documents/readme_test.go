package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// README's table counts the shipped claims as study.TallyOf does, from which the page and the command take their
// counts.
func TestREADME_Counts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: judges all claims that ship")
	}
	source, err := os.ReadFile("../../docs/src/README.md")
	if err != nil {
		t.Fatal(err)
	}
	define, _, _ := strings.Cut(string(source), "\n")
	for _, s := range papers.All {
		results, err := s.Open(t.TempDir(), cmp.Or(s.Richest, preset.Whole))
		if err != nil {
			t.Fatal(err)
		}
		judged := s.AnswersOf(results)
		c := &commands{once: map[string]func() (string, error){}, run: func(line string) (string, error) {
			var printed strings.Builder
			switch strings.TrimSuffix(line, " --format md") {
			case "claims " + s.Paper:
				err := study.ClaimsTable(s, judged, "").Write(&printed, "md")
				return printed.String(), err
			case "audit " + s.Paper:
				return "7 inconsistent", nil
			}
			return "", fmt.Errorf("no line is %q", line)
		}}
		made, err := c.expand("docs/src/README.md", define+"\n{{template \"paper\" \""+s.Paper+"\"}}")
		if err != nil {
			t.Fatal(err)
		}
		tally := study.TallyOf(judged)
		want := fmt.Sprintf("%d | %d | %d | %d | %d | %d | %d | 7 |", tally.Claims, tally.Effects,
			tally.Of[string(certify.Holds)], tally.Of[study.SanityHolds], tally.Of[study.NotSeen],
			tally.Of[string(certify.Unresolved)], tally.Of[string(certify.Untestable)])
		if got := strings.TrimSpace(body(made)); got != want {
			t.Errorf("%s: got %q, want %q", s.Paper, got, want)
		}
		if !strings.Contains(study.ClaimCounts(judged), fmt.Sprintf("%d claims about %d effects", tally.Claims, tally.Effects)) {
			t.Errorf("%s: got %q", s.Paper, study.ClaimCounts(judged))
		}
	}
}
