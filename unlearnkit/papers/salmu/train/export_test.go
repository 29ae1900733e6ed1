package train

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
)

// Every example of the raw scores is in the exported data under its id, once.
func TestExport_IDsOfRawScores(t *testing.T) {
	s, err := salmu.Study.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run := salmu.NewPlan(salmu.Quick()).Worlds[0].Clean
	artifact, err := s.Get(run.Key())
	if err != nil {
		t.Fatal(err)
	}
	scores, err := salmu.ReadScores(artifact, salmu.ScoresFile(0))
	if err != nil {
		t.Fatal(err)
	}
	world, err := persona.Generate(persona.Mini(0))
	if err != nil {
		t.Fatal(err)
	}
	type example struct{ part, id string }
	exported, sampled := map[example]picture{}, 0
	for _, split := range pictures(world, retainSample(newSmall(world), salmu.Quick().Retain)) {
		for _, row := range split.Rows {
			if _, twice := exported[example{row.Part, row.ID}]; twice {
				t.Errorf("%s of %s is exported twice", row.ID, row.Part)
			}
			exported[example{row.Part, row.ID}] = row
			if row.Sample {
				sampled++
			}
		}
	}
	if sampled != salmu.Quick().Retain {
		t.Errorf("%d rows are marked as the retain sample, want %d", sampled, salmu.Quick().Retain)
	}
	for _, score := range scores {
		row, known := exported[example{score.Split, score.ID}]
		number := row.Identity
		if score.Split == salmu.Objects {
			number = row.Class // scores identify an object by its class
		}
		if !known || number != score.Identity {
			t.Errorf("%s of %s is exported: %v, with the number %d, want %d", score.ID, score.Split, known, number,
				score.Identity)
		}
	}
	if len(scores) != 1536+1024+1000 {
		t.Errorf("%d scores", len(scores))
	}
}
