package claims

import (
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
)

// Each paper has its own table of claims.
func TestTables_SeveralPapers(t *testing.T) {
	if both := tables(append(madeClaims(t, "salmu", madeup.Home(t, salmu.Study)),
		madeClaims(t, "concealment", madeup.Home(t, concealment.Study))...), nil); len(both) != 2 ||
		!strings.HasSuffix(both[0].Title, "(smoke, 1 world)") ||
		!strings.HasSuffix(both[1].Title, "(smoke, 1 training seed)") {
		t.Errorf(`got %+v, want length 2, "(smoke, 1 world)" at the end of [0].Title, "(smoke, 1 training seed)" `+
			`at the end of [1].Title`,
			both)
	}
}

// madeClaims judges a study's claims by made-up scores.
func madeClaims(t *testing.T, paper, home string) []certify.Judged {
	t.Helper()
	r, err := papers.Of(paper).Open(home, "smoke")
	if err != nil {
		t.Fatal(err)
	}
	return r.Claims()
}
