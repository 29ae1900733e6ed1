package train

import (
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// shared is the folder of a store that all tests use, so that each run is computed once.
var shared string

func TestMain(m *testing.M) {
	var err error
	if shared, err = os.MkdirTemp("", "remem"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(shared)
	os.Exit(code)
}

func open(t *testing.T, folder string) *store.Store {
	t.Helper()
	s, err := store.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func made(t *testing.T, s *store.Store, p remem.Preset) *remem.Plan {
	t.Helper()
	plan := remem.NewPlan(p)
	lab := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil })
	if err := plan.Execute(t.Context(), s, lab.Makers(), study.Options{}); err != nil {
		t.Fatal(err)
	}
	return plan
}

// small returns the smoke preset with only one size of models.
func small() remem.Preset {
	p := remem.Smoke()
	p.Sizes, p.Forget, p.Shapes, p.Counts = p.Sizes[:1], []int{2}, p.Shapes[:1], nil
	p.Methods, p.Whole = p.Methods[1:], false // DPO needs a reference model and refusals
	p.Sizes[0].Base.Refusals = 14
	return p
}

// The stages make the same bytes as ever, under the same vector instructions.
func TestStages_SameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s, digests := open(t, shared), map[string]string{}
	plan := made(t, s, small())
	for _, run := range plan.Runs() {
		digests[run.Title] = unlearntest.ArtifactDigest(t, s, run)
	}
	t.Run("digests", func(t *testing.T) { unlearntest.CompareDigests(t, "testdata/digests.json", digests) })
	runs := plan.Worlds[0].Sizes[0]
	scores := read(t, s, runs.Methods[0][0].Scores)
	counts := map[string]int{}
	for _, a := range scores.Answers {
		counts[a.Part+" "+a.Hop]++
		again := a
		if err := again.Measure(); err != nil || again != a {
			t.Errorf("%s is read as %+v, and measured %+v: %v", a.ID, a, again, err)
		}
	}
	// Two of four people are to be forgotten.
	for part, want := range map[string]int{"forget single": 140, "forget multi": 60, "retain single": 28,
		"retain multi": 28, "test single": 28, "test multi": 28, "paraphrase single": 28, "first person multi": 28} {
		if counts[part] != want {
			t.Errorf("%d questions of %s, want %d", counts[part], part, want)
		}
	}
	if len(scores.Secrets) == 0 || len(scores.Choices) != 24 {
		t.Errorf("%d secrets, %d choices", len(scores.Secrets), len(scores.Choices))
	}
	unknown := 0
	for _, a := range read(t, s, runs.Taught.Scores).Answers {
		if a.Part == remem.PartUnknown {
			unknown++
		}
	}
	if want := 10 * len(profile.Attributes()); unknown != want {
		t.Errorf("%d questions about strangers, want %d", unknown, want)
	}
	if _, err := plan.Read(s); err != nil {
		t.Error(err)
	}
}

func read(t *testing.T, s *store.Store, run *study.Run) remem.Scores {
	t.Helper()
	artifact, err := s.Get(run.Key())
	if err != nil {
		t.Fatal(err)
	}
	scores, err := remem.ReadScores(artifact)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}
