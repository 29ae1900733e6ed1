package unslu

import (
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
)

func TestKnownSentences(t *testing.T) {
	r, err := Open(t.TempDir(), "mini")
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range r.Preset.Benchmarks {
		for world := range r.Worlds {
			config := b.corpus(world).World
			forget := r.Worlds[world].Benchmarks[i].Gold.Scores.ofSplit(Forget)
			known, err := knownSentences(config, forget)
			if err != nil {
				t.Fatal(err)
			}
			alone := 0
			for _, s := range forget {
				if !known[s.ID] {
					alone++
				}
			}
			if alone > 4 {
				t.Errorf("%s, world %d: gold has heard the sentences of all but %d of %d clips to be forgotten, "+
					"want at most 4", b.Name(), world, alone, len(forget))
			}
			set, err := speech.Make(config)
			if err != nil {
				t.Fatal(err)
			}
			unheard := 0
			for _, u := range set.Test {
				said := false
				for _, other := range set.Train {
					said = said || other.Text == u.Text
				}
				if known[u.ID] && !said {
					t.Errorf("%s, world %d: nobody says the sentence of %s in training", b.Name(), world, u.ID)
				}
				if !known[u.ID] {
					unheard++
				}
			}
			if (unheard > 0) != (config.HeldOutPhrasings > 0) {
				t.Errorf("%s, world %d: %d new sentences with %d phrasings held out", b.Name(), world, unheard,
					config.HeldOutPhrasings)
			}
		}
	}
}

// If no sentence is new, the attack with only known sentences equals the paper's attack.
func TestResults_Heard(t *testing.T) {
	r, err := Open(t.TempDir(), "quick")
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.heardComparisons()
	if err != nil {
		t.Fatal(err)
	}
	easy, hard := all[0], all[1]
	if easy.New != 0 || easy.GoldHeard.Estimate != easy.Gold.Estimate || !math.IsNaN(easy.Unknown.Estimate) {
		t.Errorf("got %+v of a world without new sentences", easy)
	}
	if hard.New == 0 || hard.GoldHeard.Estimate == hard.Gold.Estimate ||
		hard.Unknown.Estimate >= hard.Known.Estimate {
		t.Errorf("got %+v of a world with new sentences", hard)
	}
}
