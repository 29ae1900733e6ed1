package papers_test

import (
	"cmp"
	"os"
	"sync"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// home is an empty home, above which only shipped results are read.
var home string

func TestMain(m *testing.M) {
	var err error
	if home, err = os.MkdirTemp("", "papers"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// summed holds the shipped results that a study's summary shows, and the claims that answer for its paper.
type summed struct {
	study.Results
	answers []certify.Judged
}

var summaries = map[*study.Study]func() (summed, error){}

func init() {
	for _, s := range papers.All {
		summaries[s] = sync.OnceValues(func() (summed, error) {
			results, err := s.Open(home, mainPreset(s))
			if err != nil {
				return summed{}, err
			}
			return summed{results, s.AnswersOf(results)}, nil
		})
	}
}

// mainPreset returns the preset that a study's summary shows.
func mainPreset(s *study.Study) string { return cmp.Or(s.Richest, preset.Whole) }

// summaryOf returns a study's summary. All tests share it, because judging all claims takes seconds.
func summaryOf(t *testing.T, s *study.Study) summed {
	t.Helper()
	found, err := summaries[s]()
	if err != nil {
		t.Fatal(err)
	}
	return found
}
