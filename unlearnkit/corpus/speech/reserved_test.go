package speech

import (
	"strings"
	"testing"
)

func TestReserved_InNoWorld(t *testing.T) {
	for _, language := range []string{"en", "it", "de", "fr"} {
		set, err := Reserved(language, 200, 1)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Reserved(language, 200, 1)
		if err != nil || len(set.Train) != 200 || again.Train[199] != set.Train[199] {
			t.Errorf("%s: %d clips, %v; not the same again", language, len(set.Train), err)
		}
		sound, err := set.Samples(set.Train[0])
		if err != nil || len(sound) < 2000 {
			t.Errorf("%s: %d samples, %v", language, len(sound), err)
		}
	}
	heard := map[string]bool{}
	for root := range uint64(20) {
		m, set := mustBuild(t, Hard(root))
		for _, part := range set.Parts() {
			for _, u := range part.Utterances {
				heard[m.takes[u.ID].speaker.voice.Name] = true
			}
		}
	}
	if len(heard) != 16-reservedVoices {
		t.Errorf("20 worlds have %d voices", len(heard))
	}
	for language, clips := range map[string]int{"nl": 5, "en": 0} {
		if _, err := Reserved(language, clips, 1); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s, %d clips: %v", language, clips, err)
		}
	}
}
