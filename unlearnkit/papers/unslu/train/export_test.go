package train

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
)

// Every clip of the raw scores is in the exported split of the same name, with the same speaker and label.
func TestExport_IDsOfRawScores(t *testing.T) {
	s, err := unslu.Study.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run := unslu.NewPlan(unslu.Quick()).Worlds[0].Benchmarks[0].Original
	artifact, err := s.Get(run.Key())
	if err != nil {
		t.Fatal(err)
	}
	scores, err := unslu.ReadScores(artifact, unslu.ScoresFile)
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := unslu.Judgement.Spec(run)
	set, err := speech.Make(spec.Corpus.World)
	if err != nil {
		t.Fatal(err)
	}
	splits, err := setData{corpus: spec.Corpus}.splits(set)
	if err != nil {
		t.Fatal(err)
	}
	exported, files := map[string]clip{}, map[string]bool{}
	for _, split := range splits {
		for _, row := range split.Rows {
			exported[split.Name+"/"+row.ID] = row
			if files[split.Name+"/"+row.FileName] {
				t.Errorf("two clips of %s have the file %s", split.Name, row.FileName)
			}
			files[split.Name+"/"+row.FileName] = true
		}
	}
	if len(scores) == 0 {
		t.Error("no scores")
	}
	for _, score := range scores {
		row, known := exported[score.Split+"/"+score.ID]
		if !known || row.Speaker != score.Speaker || row.Label != score.Label {
			t.Errorf("%s of %s is exported: %v, as %+v, want %+v", score.ID, score.Split, known, row, score)
		}
	}
}

// The exported orders are drawn from the seed of the methods' runs.
func TestExport_OrdersOfMethods(t *testing.T) {
	for world, w := range unslu.NewPlan(unslu.Mini()).Worlds {
		spec, _ := unslu.Unlearned.Spec(w.Benchmarks[0].Methods[0][0])
		if spec.Seed != spec.Corpus.World.Seed {
			t.Errorf("world %d: the method's seed is %d, the exported order's %d", world, spec.Seed, spec.Corpus.World.Seed)
		}
	}
}
