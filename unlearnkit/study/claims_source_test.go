package study

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

func TestSourceText(t *testing.T) {
	for want, j := range map[string]certify.Judged{
		"§5": {Source: "§5"},
		"§5: “it grows”; but Table 2 prints otherwise (here: one model)": {Source: "§5", Quote: "it grows",
			Contradiction: "Table 2 prints otherwise", Caveat: "one model"},
	} {
		if got := sourceText(j); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
