package unslu

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/membership"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

const attacksTable = "attacks"

// likelihood attacks a model with its losses and the losses of further gold models on the same clips (LiRA). The
// further gold models were trained on neither the forget clips nor the test clips. The area under the curve is .5 for a
// model that leaks nothing.
func (b *BenchmarkScores) likelihood(m *Model) (membership.ROC, error) {
	var target []float64
	var scored membership.Scored
	var shadows membership.Shadows
	for i, s := range m.Scores {
		if s.Split == Validation {
			continue
		}
		var heard []float64
		for _, shadow := range b.Shadows {
			heard = append(heard, shadow.Scores[i].Loss)
		}
		target = append(target, s.Loss)
		shadows.Without, shadows.With = append(shadows.Without, heard), append(shadows.With, nil)
		scored.Member = append(scored.Member, s.Split == Forget)
	}
	found, err := membership.Likelihood(target, shadows, membership.Offline, membership.Shared)
	if err != nil {
		return membership.ROC{}, err
	}
	scored.Scores = found.Scores
	return membership.Curve("LiRA", scored)
}

// Attacked holds the results of two membership attacks on a model, averaged over worlds.
type Attacked struct {
	Benchmark, Model string
	MIA              certify.Cell // paper's attack, compared with the gold model
	SE               float64      // standard error of MIA within one world, from its number of clips
	LiRA             certify.Cell // area under the ROC curve of LiRA, compared with the gold model
	Found            certify.Cell // share of forget clips found at a false-positive rate of 1 %
}

// Disagree reports whether exactly one of the attacks finds the model equal to the gold model.
func (a Attacked) Disagree() bool {
	return a.MIA.Verdict != a.LiRA.Verdict && (a.MIA.Verdict == certify.Matched || a.LiRA.Verdict == certify.Matched)
}

// Attacks returns the attacks on every model of the benchmarks that have further gold models.
func (r *Results) Attacks() (all []Attacked, err error) {
	spread := attackColumn("SE of MIA", Test, func(found Attack) float64 { return found.SE })
	for i, b := range r.Preset.Benchmarks {
		if b.Shadows < 2 {
			continue
		}
		golds, err := r.curves(i, gold)
		if err != nil {
			return nil, err
		}
		for _, l := range r.allRows(i) {
			a := Attacked{Benchmark: b.Name(), Model: l.name}
			curves, err := r.curves(i, l)
			if err != nil {
				return nil, err
			}
			for world := range r.Worlds {
				if m := l.of(&r.Worlds[world].Benchmarks[i]); !m.Lost() {
					a.SE += spread.Mean(m.Evaluation, nil) / float64(len(r.Worlds))
				}
			}
			a.MIA = r.besideGold(r.score(i, l, mia(Test)), r.score(i, gold, mia(Test)), attackMargin)
			a.LiRA = r.besideGold(func(world int) float64 { return area(curves[world]) },
				func(world int) float64 { return area(golds[world]) }, attackMargin)
			a.Found = r.estimate(func(world int) float64 { return atOnePercent(curves[world]) })
			all = append(all, a)
		}
	}
	return all, nil
}

// curves returns the ROC curves of LiRA for a row's model in every world. A curve is empty if the model diverged.
func (r *Results) curves(benchmark int, l line) (curves []membership.ROC, err error) {
	curves = make([]membership.ROC, len(r.Worlds))
	for world := range r.Worlds {
		beside := &r.Worlds[world].Benchmarks[benchmark]
		if m := l.of(beside); !m.Lost() {
			if curves[world], err = beside.likelihood(m); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", r.Preset.Benchmarks[benchmark].Name(), l.name, err)
			}
		}
	}
	return curves, nil
}

func area(of membership.ROC) float64 {
	if of.Members == 0 {
		return math.NaN()
	}
	return of.Area.Value
}

func atOnePercent(of membership.ROC) float64 {
	for _, rate := range of.Rates {
		if rate.Limit == .01 {
			return rate.TPR.Value
		}
	}
	return math.NaN()
}

// besideGold certifies a number per world in comparison with the gold model's number.
func (r *Results) besideGold(of, gold func(world int) float64, margin float64) certify.Cell {
	return certify.Certify(r.repeated(of), r.repeated(gold), margin)
}

// attacks tabulates the results of both attacks.
func (r *Results) attacks() (*report.Table, error) {
	all, err := r.Attacks()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has no further gold models, which LiRA needs"}
	}
	t := &report.Table{Title: fmt.Sprintf("Two attacks (%s)", r.Preset.Name), Corner: "Method",
		Columns: []report.Column{{Name: "MIA"}, {Name: "SE in one world"}, {Name: "LiRA, area"},
			{Name: "LiRA, found at 1 %"}, {Name: "they", Words: true}}}
	for _, a := range all {
		says := "agree"
		if a.Disagree() {
			says = "disagree"
		}
		if a.Model == goldRow {
			a.MIA.Verdict, a.LiRA.Verdict, says = "", "", ""
		}
		t.Rows = append(t.Rows, report.Named(r.Preset.levels(a.Benchmark, a.Model)...).With(withVerdict(a.MIA),
			report.Number(fmt.Sprintf("%.3f", a.SE), a.SE), withVerdict(a.LiRA), short(a.Found), report.Word(says)))
	}
	t.Note = fmt.Sprintf("MIA is the paper's attack: a logistic regression on the loss. LiRA (Carlini et "+
		"al., 2022, offline, one variance for all clips) compares each clip's loss with its losses under %d "+
		"further gold models; its area is .5 for a model that reveals nobody. Verdicts compare with gold, "+
		"matched within %.2f; the attacks disagree if only one of them finds the model like gold.", r.shadows(), attackMargin) + withoutSpread
	return t, nil
}

// shadows returns the largest number of further gold models that a benchmark has.
func (r *Results) shadows() (most int) {
	for _, b := range r.Preset.Benchmarks {
		most = max(most, b.Shadows)
	}
	return most
}

// withVerdict formats an estimate with its interval and verdict.
func withVerdict(c certify.Cell) report.Cell {
	laid := short(c)
	if c.Verdict != "" {
		laid.Text += "\n" + string(c.Verdict)
	}
	return laid
}
