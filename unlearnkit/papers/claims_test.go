package papers_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// testdata/sanity.txt lists all sanity checks with their reasons, whatever their verdict. A claim is one by the rule in
// certify.Claim.Checks.
func TestClaims_Sanity(t *testing.T) {
	var got []string
	for _, s := range papers.All {
		sanity, answers := 0, summaryOf(t, s).answers
		for _, j := range answers {
			if j.Sanity != "" {
				sanity++
				got = append(got, s.Paper+": "+j.Claim+": "+j.Sanity)
			}
		}
		if tally := study.TallyOf(answers); tally.Sanity != sanity || tally.Of[study.SanityHolds] > sanity {
			t.Errorf("%s: got %d sanity checks, %d of which hold; want %d", s.Paper, tally.Sanity,
				tally.Of[study.SanityHolds], sanity)
		}
	}
	unmoved(t, "testdata/sanity.txt", got)
}
