package concealment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// Point is a place on a curve. Lo and Hi are NaN where there are too few values for an interval.
type Point struct {
	Psi           string
	Value, Lo, Hi float64
	Idle          bool // above 0, but so little that the original takes no step: the same pictures as at 0
}

// Curve is how a score runs over ψ.
type Curve struct {
	Name   string
	Points []Point
}

// Probe is what partial diffusion makes of a prompt: Figures 5 to 17, and 4 where gold stands alone.
type Probe struct {
	Attack *AttackScores
	Psi    []string
	// Recovered, of the erased models and of gold; Figure 4 has gold's alone.
	Recovered []Curve
	// Original is P(original) of the erased models and of gold, as the code's classifier sees it.
	Original []Curve
	// Similarity is the code's (1 - arctan cos)/(π/2), low where pictures are alike: to the original's pictures and to
	// the unlearned model's, then gold's of both.
	Similarity []Curve
	// Distance is KID to the original's pictures and to the unlearned model's, then gold's of both.
	Distance []Curve
	// Returned and GoldReturned are the ratios from which the judge sees in the picture of the strip what was erased,
	// in a prompt to retain what it asks for; "" where it does not.
	Returned, GoldReturned string
	Pictures               int    // at each ratio of the curves, of all training seeds
	GoldAlone              string // what the judge sees in gold's own pictures
}

// mostSeen is which object the judge sees most in pictures of one prompt, and how often.
func (v Views) mostSeen() (object string, count int) {
	counts := map[string]int{}
	for _, view := range v {
		counts[view.Labels.Object.String()]++
	}
	most := ""
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if most == "" || counts[name] > counts[most] {
			most = name
		}
	}
	return most, counts[most]
}

// returned is the first ratio at which the judge sees in the picture of the strip what was erased.
func (a *AttackScores) returned(attacked *Attacked) string {
	for _, p := range attacked.Pictures {
		if p.Protocol == Published && recovered(a, &p) == 1 {
			return p.Psi
		}
	}
	return ""
}

// Probe is that of a figure.
func (r *Results) Probe(figure int) (*Probe, error) {
	for i := range r.Attacks {
		if a := &r.Attacks[i]; a.Prompt.Figure == figure && figure > 0 {
			return r.probe(a), nil
		}
	}
	return nil, r.noPromptOf(fmt.Sprintf("figure %d", figure), r.figures())
}

// figures are the numbers of the figures that show a prompt of the preset.
func (r *Results) figures() []string {
	var numbers []int
	for _, a := range r.Attacks {
		if a.Prompt.Figure > 0 {
			numbers = append(numbers, a.Prompt.Figure)
		}
	}
	slices.Sort(numbers)
	var texts []string
	for _, n := range numbers {
		texts = append(texts, fmt.Sprint(n))
	}
	return texts
}

func (r *Results) probe(a *AttackScores) *Probe {
	p := &Probe{Attack: a, Psi: r.Preset.Attack.Psi, GoldReturned: a.returned(a.Gold),
		Pictures: r.Preset.Attack.Pictures * r.Preset.Seeds}
	most, count := a.Gold.Unlearned.mostSeen()
	p.GoldAlone = fmt.Sprintf("Alone gold draws a %s in %d of %d pictures, as the judge sees them", most, count,
		len(a.Gold.Unlearned))
	if len(a.Unlearned) > 0 {
		p.Returned = a.returned(a.Unlearned[0])
	}
	code := func(score func(o Outcome) float64) func(Grid) Column {
		return func(g Grid) Column {
			return Column{Share: true, of: ofPictures(Disjoint, g, func(_ *AttackScores, p *Picture) float64 {
				return score(p.Of[classifier])
			})}
		}
	}
	distance := func(unlearned bool) func(Grid) Column {
		return func(g Grid) Column { return Column{of: ofDistances(Disjoint, g, unlearned)} }
	}
	toOriginal, toUnlearned := code(func(o Outcome) float64 {
		return o.CodeOriginal
	}), code(func(o Outcome) float64 { return o.CodeUnlearned })
	probability := code(func(o Outcome) float64 { return o.Probability })
	shown := func(g Grid) Column { return Column{Share: true, of: ofPictures(Disjoint, g, recovered)} }
	for _, whose := range []struct {
		name string
		gold bool
	}{{a.Prompt.Method, false}, {"gold", true}} {
		if !whose.gold && len(a.Unlearned) == 0 {
			continue
		}
		curve := func(what string, of func(Grid) Column) Curve { return r.curve(a, whose.gold, what, of) }
		p.Recovered = append(p.Recovered, curve(whose.name, shown))
		p.Original = append(p.Original, curve(whose.name, probability))
		p.Similarity = append(p.Similarity, curve(whose.name+", to original", toOriginal),
			curve(whose.name+", to "+whose.name, toUnlearned))
		p.Distance = append(p.Distance, curve(whose.name+", to original", distance(false)),
			curve(whose.name+", to "+whose.name, distance(true)))
	}
	return p
}

// curve certifies a score at every ratio: intervals are over training seeds and noise, of gold over noise.
func (r *Results) curve(a *AttackScores, gold bool, name string, of func(Grid) Column) Curve {
	c := Curve{Name: name}
	for _, psi := range r.Preset.Attack.Psi {
		column := of(At(psi, r.Preset.Attack.Psi))
		c.Points = append(c.Points, r.point(psi, column, gold, a))
	}
	return c
}

// point is a score over rows at a ratio, of the erased models or of gold.
func (r *Results) point(psi string, c Column, gold bool, rows ...*AttackScores) Point {
	var values certify.Outcomes
	if gold {
		values = r.ofGold(c, rows...)
	} else {
		values, _ = r.outcomes(c, rows...)
	}
	cell := certify.Certify(values, values, c.Margin)
	return Point{psi, cell.Estimate, cell.Lo, cell.Hi, slices.Contains(r.idle(), psi)}
}

// Recovery is what comes back of what a method erased beside what comes back of gold, over all prompts that ask for it.
type Recovery struct {
	Title    string          // the method and what it erased
	Verdict  certify.Verdict // below ψ = .55
	Prompts  int
	Pictures int // at each ratio, of all prompts and training seeds
	Curves   []Curve
	Retained []float64 // how often other prompts are obeyed, of each curve's model
}

// Recoveries are those of every method and concept that the preset has.
func (r *Results) Recoveries() []Recovery {
	var all []Recovery
	below, _, _ := r.Preset.areas()
	verdicts := map[string]certify.Verdict{}
	for _, v := range r.verdicts(below, ownThresholds) {
		verdicts[v.Name] = v.Verdict
	}
	for _, g := range r.groups() {
		if g.erased == "" {
			continue
		}
		recovery := Recovery{Title: g.name, Verdict: verdicts[g.name], Prompts: len(g.rows)}
		recovery.Pictures = len(g.rows) * r.Preset.Attack.Pictures * r.Preset.Seeds
		for _, gold := range []bool{false, true} {
			recovery.Curves = append(recovery.Curves, r.recovery(g, gold))
			recovery.Retained = append(recovery.Retained, r.pooled(g.rows, Column{of: retained}, gold))
		}
		all = append(all, recovery)
	}
	return all
}

// recovery is the curve of a group, or of gold beside it.
func (r *Results) recovery(g group, gold bool) Curve {
	c := Curve{Name: g.method}
	if gold {
		c.Name = "gold"
	}
	for _, psi := range r.Preset.Attack.Psi {
		score := Column{Share: true, of: ofPictures(Disjoint, At(psi, r.Preset.Attack.Psi), recovered)}
		c.Points = append(c.Points, r.point(psi, score, gold, g.rows...))
	}
	return c
}

// attacked is the curve as those of other attacks are compared.
func (c Curve) attacked() attack.Curve {
	a := attack.Curve{Model: attack.Model{Name: c.Name}, Axis: "ψ"}
	for _, p := range c.Points {
		a.Points = append(a.Points, attack.Point{Budget: attack.Budget{Text: p.Psi, Value: Value(p.Psi)},
			Estimate: attack.Estimate{Value: p.Value, Lo: p.Lo, Hi: p.Hi}})
	}
	return a
}

// outputs are what networks may put out, in words.
var outputs = map[string]string{"sample": "x0", "v_prediction": "v", "epsilon": "epsilon"}

// Accuracy is how often a model draws what its prompts ask for, over the steps of its training.
type Accuracy struct {
	Output string // of the network: x0, v or epsilon
	Points []AccuracyPoint
}

// AccuracyPoint is how often a model draws what its prompts ask for after so many steps of training.
type AccuracyPoint struct {
	Steps, Pictures int
	Object, Style   stat.Effect
}

// Accuracies are how the original learns to draw, then how networks with other outputs do.
func (r *Results) Accuracies() []Accuracy {
	var all []Accuracy
	for _, learning := range r.Learning {
		a := Accuracy{Output: outputs[learning.Output]}
		for _, look := range learning.Looks {
			a.Points = append(a.Points, accuracy(look.Steps, look.Views))
		}
		all = append(all, a)
	}
	return all
}

// Gate is how often the original draws what it is asked for when its training is over: methods are judged on a model
// that draws.
func (r *Results) Gate() AccuracyPoint { return accuracy(r.Preset.Base.Training.Steps, r.Original) }

func accuracy(steps int, views Views) AccuracyPoint {
	var objects, styles share
	for _, v := range views {
		object, style := v.Obeys()
		objects.add(object)
		styles.add(style)
	}
	return AccuracyPoint{steps, len(views), stat.Wilson(objects.right, objects.of),
		stat.Wilson(styles.right, styles.of)}
}

// Strips are those of Figure 2 or 3, of which the paper shows strips alone, in its order.
func (r *Results) Strips(figure int) ([]*Probe, error) {
	if figure != 2 && figure != 3 {
		return nil, fmt.Errorf("figure %d is not one of strips alone; figures 2 and 3 are", figure)
	}
	var strips []*Probe
	for _, cell := range paper(fmt.Sprintf("figure%d", figure)) {
		if cell.Column != "Method" {
			continue
		}
		for i := range r.Attacks {
			if a := &r.Attacks[i]; strings.EqualFold(a.Prompt.Paper, cell.Row) && a.Prompt.Method == cell.Value {
				strips = append(strips, r.probe(a))
			}
		}
	}
	if len(strips) == 0 {
		return nil, r.noPromptOf(fmt.Sprintf("figure %d", figure), r.figures())
	}
	return strips, nil
}
