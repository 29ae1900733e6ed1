package papers

import (
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/internal/testkit/third"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// A registered study is the last one until it is removed. A study without a required field is refused.
func TestRegister(t *testing.T) {
	before := Papers()
	remove := Register(third.Study)
	if got := Papers(); len(got) != len(before)+1 || got[len(before)] != "third" {
		t.Errorf("got the papers %q after registering third", got)
	}
	refused := func(why string, change func(s *study.Study)) {
		s := *third.Study
		change(&s)
		defer func() {
			if got := recover(); got == nil || !strings.Contains(got.(string), why) {
				t.Errorf("got the panic %v, want %q in it", got, why)
			}
		}()
		Register(&s)
	}
	refused("papers: two studies of third", func(*study.Study) {})
	remove()
	if got := Papers(); !slices.Equal(got, before) {
		t.Errorf("got the papers %q after removing third, want %q", got, before)
	}
	refused("a study has no name", func(s *study.Study) { s.Paper = "" })
	refused("third lacks the preset quick", func(s *study.Study) { s.Presets = []string{"smoke"} })
	refused("third has no Tables", func(s *study.Study) { s.Tables = nil })
	refused("no words for its Repetitions", func(s *study.Study) { s.Repetitions = certify.Repetitions{} })
	refused("needs either NewPlan or Rows", func(s *study.Study) { s.Rows = nil })
	refused("declare the others in Further", func(s *study.Study) { s.Tables = append(s.Tables, study.Item{Name: "2"}) })
	refused("Accuracy", func(s *study.Study) { s.Layout.Fields = nil })
}

func TestNames_HaveStudies(t *testing.T) {
	for _, paper := range papers.Names {
		if Of(paper) == nil {
			t.Errorf("%s has none", paper)
		}
	}
}

// Every study is complete, and its presets are in the order of all presets.
func TestAll_PapersAndPresets(t *testing.T) {
	for _, s := range All {
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
		last := -1
		for _, name := range s.Presets {
			at := slices.Index(preset.Names, name)
			if at <= last {
				t.Errorf("%s: the presets %v are not some of %v in their order", s.Paper, s.Presets, preset.Names)
			}
			last = at
		}
	}
}
