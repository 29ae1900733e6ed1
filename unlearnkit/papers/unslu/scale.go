package unslu

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/internal/memo"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

const scaleTable = "scale"

// scale describes the size of a benchmark's first world, and the defects of its training clips.
type scale struct {
	Benchmark           string
	Parameters          int // number of the backbone's parameters; 0 if unknown
	Speakers, Forgotten int // number of training speakers, and of forget speakers among them
	Clips               int
	Share               float64 // share of training clips that should be forgotten
	Wrong               float64 // share of training clips with a wrong label
	Cut                 float64 // share of training clips that are cut at the end
	Epochs              int
}

// scales returns the scale of each benchmark with generated data.
func (r *Results) scales() (all []scale, err error) {
	plan := NewPlan(r.Preset)
	for i, b := range r.Preset.Benchmarks {
		if b.Corpus.Published() {
			continue
		}
		s, err := knownSize(b.corpus(0).World, b.Corpus.Samples)
		if err != nil {
			return nil, err
		}
		forget := r.Worlds[0].Benchmarks[i].Gold.Scores.ofSplit(Forget)
		s.Benchmark, s.Epochs, s.Parameters = b.Name(), b.Training.Epochs, r.parameters(plan, b)
		s.Forgotten, s.Share = forget.speakers(), float64(len(forget))/float64(s.Clips)
		all = append(all, s)
	}
	return all, nil
}

type listened struct {
	config  speech.Config
	samples int
}

// sizes caches the results of sizeOf, which must generate a world.
var sizes memo.Map[listened, scale]

// knownSize returns the result of sizeOf, which is computed once per process.
func knownSize(config speech.Config, samples int) (scale, error) {
	return sizes.Get(listened{config, samples}, func() (scale, error) { return sizeOf(config, samples) })
}

// sizeOf measures the training clips of a world. The number of samples is the length of clips that models receive.
func sizeOf(config speech.Config, samples int) (s scale, err error) {
	set, err := speech.Make(config)
	if err != nil {
		return s, err
	}
	s.Speakers, s.Clips = config.TrainSpeakers, len(set.Train)
	for _, u := range set.Train {
		if set.Intents[u.Label] != u.Intent {
			s.Wrong += 1 / float64(s.Clips)
		}
		length, err := set.Length(u)
		if err != nil {
			return s, err
		}
		if length > samples {
			s.Cut += 1 / float64(s.Clips)
		}
	}
	return s, nil
}

// parameters returns the number of parameters of a benchmark's backbone. It reads the number from the manifest of the
// backbone's run.
func (r *Results) parameters(plan *Plan, b Benchmark) (n int) {
	artifact, err := r.store.Get(plan.Backbones[b.Backbone].Key())
	if err != nil || json.Unmarshal(artifact.Manifest.Notes["parameters"], &n) != nil {
		return 0
	}
	return n
}

// speakers returns the number of speakers of the clips.
func (s Scores) speakers() int {
	met := map[string]bool{}
	for _, score := range s {
		met[score.Speaker] = true
	}
	return len(met)
}

// scaleColumns lists the gold model's scores that are shown next to the paper's.
var scaleColumns = []study.Metric{f1(Test), f1(Forget), mia(Test)}

// scale tabulates the sizes of the benchmarks, and the gold models' scores here and in the paper.
func (r *Results) scale() (*report.Table, error) {
	all, err := r.scales()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has no small worlds"}
	}
	printed, err := printedGold()
	if err != nil {
		return nil, err
	}
	t := &report.Table{Title: fmt.Sprintf("Sizes and gold's scores (%s)", r.Preset.Name), Corner: "Benchmark"}
	for _, name := range []string{"parameters", "speakers", "forgotten", "clips", "share forgotten", "wrong labels",
		"cut", "epochs"} {
		t.Columns = append(t.Columns, report.Column{Name: name})
	}
	for _, c := range scaleColumns {
		t.Columns = append(t.Columns, report.Column{Name: c.Name + "(g)"},
			report.Column{Name: c.Name + "(g), paper", Words: true})
	}
	count := func(n int) report.Cell {
		if n == 0 {
			return report.Word("–")
		}
		return report.Number(fmt.Sprint(n), float64(n))
	}
	share := func(x float64) report.Cell { return report.Number(fmt.Sprintf("%.3f", x), x) }
	for _, s := range all {
		row := report.Named(r.Preset.levels(s.Benchmark)...).With(count(s.Parameters), count(s.Speakers),
			count(s.Forgotten), count(s.Clips), share(s.Share), share(s.Wrong), share(s.Cut), count(s.Epochs))
		for _, c := range scaleColumns {
			row.Cells = append(row.Cells, short(r.estimate(r.score(r.Preset.place(s.Benchmark), gold, c))),
				report.Word(printed[s.Benchmark+"/"+c.Name]))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Note = "The paper's backbones have 94,371,712 parameters (wav2vec 2.0, HuBERT) and 315,438,720 (XLS-R), " +
		"and it forgets 2.5 to 5 % of the training clips. Cut: training clips that are too long for the models " +
		"to hear the end. Sizes are the first world's; gold's scores are means over worlds with 95 % intervals."
	return t, nil
}

// printedGold returns the paper's scores of gold models. The keys name benchmark and column: "FSC/HuBERT/MIA".
func printedGold() (map[string]string, error) {
	scores := map[string]string{}
	for _, item := range []string{"table1", "table2", "table3"} {
		cells, err := papers.Open("unslu", item)
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			if c.Row == goldRow && slices.ContainsFunc(scaleColumns, func(o study.Metric) bool {
				return strings.HasSuffix(c.Column, "/"+o.Name)
			}) {
				scores[c.Column] = c.Value
			}
		}
	}
	return scores, nil
}
