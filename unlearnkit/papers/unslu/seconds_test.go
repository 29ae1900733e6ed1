package unslu

import (
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

func named(names ...string) (methods []Method) {
	for _, name := range names {
		methods = append(methods, Method{Entry: catalogue.Entry{Name: name}})
	}
	return methods
}

// ran returns a model with the given training time, the time of its whole run, and whether its clock was complete.
func ran(seconds, wall float64, counted bool) *Model {
	m := &Model{Evaluation: study.Evaluated(safefile.FrameOf(Scores{{}})), wall: wall, counted: counted}
	m.SetFrame(CostFile, safefile.FrameOf([]Cost{{Seconds: seconds}}))
	return m
}

func TestBenchmarkScores_CountAhead(t *testing.T) {
	lost := &Model{Evaluation: &study.Evaluation{}, wall: 1000}
	for name, test := range map[string]struct {
		own, others []*Model
		want        []float64
	}{
		"less what other runs take": {[]*Model{ran(.1, 3.1, false)}, []*Model{ran(6, 7, false), ran(4, 5, false)},
			[]float64{2.1}},
		"an interrupted run of another method": {[]*Model{ran(.1, 3.1, false)},
			[]*Model{ran(6, 7, false), ran(4, 5, false), ran(6, 900, false)}, []float64{2.1}},
		"the median of its rates": {[]*Model{ran(.1, 3.1, false), ran(.2, 9.2, false), ran(.3, 4.3, false)},
			[]*Model{ran(6, 7, false)}, []float64{3.1, 3.2, 3.3}},
		"counted by the clock": {[]*Model{ran(2, 9, true)}, []*Model{ran(6, 7, true)}, []float64{2}},
		"faster than others":   {[]*Model{ran(.1, .5, false)}, []*Model{ran(6, 7, false)}, []float64{.1}},
		"no other method":      {[]*Model{ran(.1, 3.1, false)}, nil, []float64{3.1}},
		"a run without scores": {[]*Model{ran(.1, 3.1, false)}, []*Model{lost, ran(6, 7, false)}, []float64{2.1}},
	} {
		b := BenchmarkScores{Methods: [][]*Model{test.own, test.others}}
		b.countAhead(named(aheadMethod, "finetuning"))
		for i, want := range test.want {
			if got := test.own[i].Cost().Seconds; math.Abs(got-want) > 1e-12 {
				t.Errorf("%s, run %d: got %v seconds, want %v", name, i+1, got, want)
			}
		}
	}
}

// CF-k's only pass runs forward once per clip. FT needs a gradient per clip, which takes three times as long. If the
// seconds of precomputation are not counted, the shipped runs of CF-k seem fifty times as fast as the runs of FT.
func TestSeconds_PassLengths(t *testing.T) {
	r, err := Open(t.TempDir(), "mini")
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range r.Preset.Benchmarks {
		var ratios []float64
		for _, w := range r.Worlds {
			at := map[string]float64{}
			for m, method := range b.Methods {
				at[method.Name] = w.Benchmarks[i].Methods[m][0].Cost().Seconds
			}
			ratios = append(ratios, at["finetuning"]/at[aheadMethod])
		}
		if got := median(ratios); got < 2 || got > 6 {
			t.Errorf("%s: FT takes %.1f times as long as CF-k, want about 3 as by passes", b.Name(), got)
		}
	}
}
