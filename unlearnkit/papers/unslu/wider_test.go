package unslu_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func TestWider_Rates(t *testing.T) {
	wider, mini := unslu.Wider(), unslu.Mini()
	added := map[string]float64{"NG": 3e-4, "NG+": 1e-5, "BT": 1e-3, "BT-L": 1e-3, "SCRUB": 1e-3, "FT": 1e-2}
	for i, b := range wider.Benchmarks {
		for m, method := range b.Methods {
			want := slices.Clone(mini.Benchmarks[i].Methods[m].Rates)
			if rate, more := added[method.Title]; more {
				want = append(want, rate)
				slices.Sort(want)
			}
			if !slices.Equal(method.Rates, want) {
				t.Errorf("%s, %s: rates %v, want %v", b.Name(), method.Title, method.Rates, want)
			}
		}
	}
}

// The paper forgets 2.5 to 5 % of the training clips.
func TestWider_ShareForgotten(t *testing.T) {
	for _, b := range unslu.Wider().Benchmarks {
		set, err := speech.Make(b.Corpus.World)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := speech.ForgetRule{MoreThan: b.Corpus.MoreThan, Share: b.Corpus.Share}.Draw(set.Train)
		if err != nil {
			t.Fatal(err)
		}
		if got := drawn.Share(); got < .025 || got > .05 {
			t.Errorf("%s: a share of %.3f is forgotten, want .025 to .05", b.Name(), got)
		}
	}
}

func TestWider_Part(t *testing.T) {
	p := unslu.Wider()
	p.Worlds, p.Benchmarks = 3, p.Benchmarks[:2]
	for i := range p.Benchmarks {
		p.Benchmarks[i].Methods = p.Benchmarks[i].Methods[1:2]
	}
	plan := unslu.NewPlan(p)
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Part(s); !errors.As(err, new(*study.Absent)) {
		t.Errorf("an empty store: %v", err)
	}
	var runs []*study.Run
	for _, world := range []int{0, 2} {
		for _, b := range plan.Worlds[world].Benchmarks {
			runs = slices.Concat(runs, []*study.Run{b.Original, b.Gold}, b.Methods[0])
		}
	}
	runs = append(runs, plan.Worlds[1].Benchmarks[0].Gold)
	if err := plan.Make(t.Context(), s, madeup.Makers(), study.Options{Workers: 2}, runs...); err != nil {
		t.Fatal(err)
	}
	r, err := plan.Part(s)
	if err != nil || r.Seeds() != 2 {
		t.Fatalf("%v, want the two worlds of which every run is made", err)
	}
	for _, w := range r.Worlds {
		gold, negative := w.Benchmarks[0].Gold.Cost(), w.Benchmarks[0].Methods[0][0].Cost()
		if got, want := gold.Seconds/negative.Seconds, gold.Passes/negative.Passes; math.Abs(got/want-1) > 1e-9 {
			t.Errorf("NG is %v times as fast as gold, want %v by passes", got, want)
		}
	}
	if !strings.Contains(r.Frame(), "shared their machine") {
		t.Errorf("the frame says nothing of the clock: %s", r.Frame())
	}
	if table, err := r.Table("1", true); err != nil || len(table.Rows) == 0 {
		t.Errorf("table 1: %v", err)
	}
}

// The preset publishes scores in a file for each world, without the runs that ship with mini and without logs of
// training steps.
func TestWider_Published(t *testing.T) {
	core := unslu.NewPlan(unslu.Mini()).Keys()
	plan, shared, own := unslu.NewPlan(unslu.Wider()), 0, 0
	for _, run := range plan.Runs() {
		published, is := plan.Published(run, nil)
		switch {
		case core[run.Key()]:
			if shared++; is {
				t.Errorf("%s ships with mini and is published again", run.Title)
			}
		case unslu.Base.Made(run):
			if is {
				t.Errorf("%s is a model and is published", run.Title)
			}
		default:
			own++
			if !is {
				t.Errorf("%s is not published", run.Title)
				continue
			}
			steps, scores := published.Place(study.StepsFile).File, published.Place(unslu.ScoresFile).File
			want := fmt.Sprintf("scores/world-%.1s.parquet", strings.TrimPrefix(run.Title, "world "))
			if steps != "" || scores != want {
				t.Errorf("%s: steps are in %q and scores in %q, want none and %q", run.Title, steps, scores, want)
			}
		}
	}
	if shared < 200 || own < 2000 {
		t.Errorf("%d runs ship with mini and %d do not, want 200 and 2,000 or more", shared, own)
	}
}
