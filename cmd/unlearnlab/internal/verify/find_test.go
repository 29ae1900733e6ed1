package verify

import (
	"io"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Without a preset, a key is found whatever preset has it.
func TestFindRun(t *testing.T) {
	flags := studies.Flags{Home: t.TempDir()}
	for _, want := range []*study.Run{salmu.NewPlan(salmu.Mini()).Ends()[0],
		concealment.NewPlan(concealment.Mini()).Ends()[0]} {
		_, run, err := findRun("", string(want.Key()[:12]), flags, io.Discard)
		if err != nil || run.Key() != want.Key() {
			t.Errorf("%s: got %v, %v", want.Title, run, err)
		}
	}
}
