package papers

import (
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

func TestNames_HaveStudies(t *testing.T) {
	for _, paper := range papers.Names {
		if Of(paper) == nil {
			t.Errorf("%s has none", paper)
		}
	}
}

// Every study belongs to a listed paper. Its presets are listed, too, and in the same order.
func TestAll_PapersAndPresets(t *testing.T) {
	for _, s := range All {
		if !slices.Contains(papers.Names, s.Paper) {
			t.Errorf("there is no paper %s", s.Paper)
		}
		last := -1
		for _, name := range s.Presets {
			at := slices.Index(preset.Names, name)
			if at <= last {
				t.Errorf("%s: the presets %v are not some of %v in their order", s.Paper, s.Presets, preset.Names)
			}
			last = at
		}
		if !slices.Contains(s.Presets, preset.Default) {
			t.Errorf("%s has no preset for who asks for none", s.Paper)
		}
	}
}
