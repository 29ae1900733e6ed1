package concealment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Point is a point of a curve. Lo and Hi are NaN if there are too few values for an interval.
type Point struct {
	Psi           string
	Value, Lo, Hi float64
	Idle          bool // ψ > 0, but the original takes no step, so the pictures equal those at 0
}

// Curve is a score as a function of ψ.
type Curve struct {
	Name   string
	Points []Point
}

// Probe holds the effects of partial diffusion for a prompt, for Figures 5 to 17 and for Figure 4, which shows only
// gold.
type Probe struct {
	Attack *AttackScores
	Psi    []string
	// Recovered is the share of pictures that show the erased concept or, for a retain prompt, what the prompt asks
	// for. It has a curve for the erased models and one for gold. For Figure 4 it has only gold's curve.
	Recovered []Curve
	// Original is P(original): the probability that the classifier of the paper's code gives to the original model. It
	// has a curve for the erased models and one for gold.
	Original []Curve
	// Similarity is the code's (1 - arctan cos)/(π/2), which is low for similar pictures. Two curves compare the erased
	// models' pictures with the original's and with the unlearned model's, and two more curves do so for gold.
	Similarity []Curve
	// Distance is KID. Its curves compare the same pictures as the curves of Similarity.
	Distance []Curve
	// Seen and GoldSeen report, for each ratio, whether the judge recognises the erased concept in the strip's picture.
	// For a retain prompt, the judge looks for what the prompt asks for. Only the paper's ratios are judged.
	Seen, GoldSeen map[string]bool
	Pictures       int    // number of pictures per ratio, over all training seeds
	GoldAlone      string // description of what the judge sees in gold's own pictures
}

// mostSeen returns the object that the judge sees most often, and its count. Ties go to the first name.
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

// recognised returns for each ratio whether the judge recognises the erased concept in the strip's picture.
func (a *AttackScores) recognised(attacked *Attacked) map[string]bool {
	published, err := safefile.RowsOf[struct {
		Protocol string `parquet:"protocol"`
		Psi      string `parquet:"psi"`
		labelRow
	}](attacked.scores().Frame())
	if err != nil {
		panic(err) // the layout has been checked
	}
	answers := map[string]bool{}
	for _, p := range published {
		if Protocol(p.Protocol) == Published {
			answers[p.Psi] = a.shows(p.labels())
		}
	}
	return answers
}

// Probe returns the data of a figure with a single prompt.
func (r *Results) Probe(figure int) (*Probe, error) {
	for i := range r.Attacks {
		if a := &r.Attacks[i]; a.Prompt.Figure == figure && figure > 0 {
			return r.probe(a), nil
		}
	}
	return nil, r.noPromptOf(fmt.Sprintf("figure %d", figure), r.figures())
}

// figures returns the numbers of the figures that show a prompt of the preset.
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
	p := &Probe{Attack: a, Psi: r.Preset.Attack.Psi, GoldSeen: a.recognised(a.Gold),
		Pictures: r.Preset.Attack.Pictures * r.Preset.Seeds}
	most, count := a.Gold.Unlearned.mostSeen()
	p.GoldAlone = fmt.Sprintf("Alone, gold draws a %s in %d of %d pictures, according to the judge", most, count,
		len(a.Gold.Unlearned))
	if len(a.Unlearned) > 0 {
		p.Seen = a.recognised(a.Unlearned[0])
	}
	code := func(outcome string) func(psiGrid) Column {
		return func(g psiGrid) Column {
			return asShare(reading{Disjoint, classifier, g}.column(r.Preset, outcome, "", first, outcome))
		}
	}
	distance := func(unlearned bool) func(psiGrid) Column {
		return func(g psiGrid) Column { return r.Preset.kid("KID", Disjoint, g, unlearned) }
	}
	toOriginal, toUnlearned, probability := code("code_original"), code("code_unlearned"), code("probability")
	shown := func(g psiGrid) Column { return asShare(r.Preset.recovered(g)) }
	for _, whose := range []struct {
		name string
		gold bool
	}{{a.Prompt.Method, false}, {"gold", true}} {
		if !whose.gold && len(a.Unlearned) == 0 {
			continue
		}
		curve := func(what string, of func(psiGrid) Column) Curve { return r.curve(a, whose.gold, what, of) }
		p.Recovered = append(p.Recovered, curve(whose.name, shown))
		p.Original = append(p.Original, curve(whose.name, probability))
		p.Similarity = append(p.Similarity, curve(whose.name+", to original", toOriginal),
			curve(whose.name+", to "+whose.name, toUnlearned))
		p.Distance = append(p.Distance, curve(whose.name+", to original", distance(false)),
			curve(whose.name+", to "+whose.name, distance(true)))
	}
	return p
}

// curve certifies a score at every ratio. Intervals are over noises and trainings; gold may have only one training.
func (r *Results) curve(a *AttackScores, gold bool, name string, of func(psiGrid) Column) Curve {
	c := Curve{Name: name}
	for _, psi := range r.Preset.Attack.Psi {
		column := of(singlePsi(psi, r.Preset.Attack.Psi))
		c.Points = append(c.Points, r.point(psi, column, gold, a))
	}
	return c
}

// point returns a score at a ratio over some rows, for gold or for the erased models.
func (r *Results) point(psi string, c Column, gold bool, rows ...*AttackScores) Point {
	var values certify.Outcomes
	if gold {
		values = r.ofGold(c, rows...)
	} else {
		values, _ = r.outcomes(c, rows...)
	}
	cell := certify.Certify(values, values, c.of(rows...).Margin.Absolute)
	return Point{psi, cell.Estimate, cell.Lo, cell.Hi, slices.Contains(r.idle(), psi)}
}

// Recovery compares how much of a concept comes back from a method with how much comes back from gold, over all prompts
// for the concept.
type Recovery struct {
	Title    string // method and erased concept
	Guest    string // title of the imported model that the method is; "" for other methods
	Verdict  string // verdict on the ratios below ψ = .55, as the table of verdicts shows it
	Prompts  int
	Pictures int // number of pictures per ratio, over all prompts and training seeds
	Curves   []Curve
	Retained []float64 // for each curve, how often its model obeys other prompts
}

// mostLetters is the number of letters of a guest's name that fit into the title of a panel.
const mostLetters = 30

// recoveries returns a recovery for every method and concept of the preset, and for imported models.
func (r *Results) recoveries() ([]Recovery, error) {
	several, err := r.severalOriginals()
	if err != nil {
		return nil, err
	}
	below, _, _ := r.Preset.areas()
	all := r.recoveriesWith(several.repeat(below))
	for _, g := range r.guests {
		for _, recovery := range r.withGuest(g).recoveriesWith(repeats{}) {
			recovery.Guest = recovery.Curves[0].Name
			recovery.Title = study.GuestLabel(recovery.Guest, mostLetters) + " (guest) of " + g.Erasure.Paper
			all = append(all, recovery)
		}
	}
	return all, nil
}

// recoveriesWith returns the recoveries without the recoveries of imported models.
func (r *Results) recoveriesWith(repeated repeats) (all []Recovery) {
	below, _, _ := r.Preset.areas()
	verdicts := map[string]string{}
	for _, v := range r.verdicts(below, ownThresholds) {
		verdicts[v.Name] = repeated.text(v)
	}
	for _, g := range r.groups() {
		if g.erased == "" {
			continue
		}
		recovery := Recovery{Title: g.name, Verdict: verdicts[g.name], Prompts: len(g.rows)}
		recovery.Pictures = len(g.rows) * r.Preset.Attack.Pictures * r.Preset.Seeds
		for _, gold := range []bool{false, true} {
			recovery.Curves = append(recovery.Curves, r.recovery(g, gold))
			recovery.Retained = append(recovery.Retained, r.pooled(g.rows, retained, gold))
		}
		all = append(all, recovery)
	}
	return all
}

// recovery returns the curve of a group, or gold's curve for the group's rows.
func (r *Results) recovery(g group, gold bool) Curve {
	c := Curve{Name: g.method}
	if gold {
		c.Name = "gold"
	}
	for _, psi := range r.Preset.Attack.Psi {
		score := asShare(r.Preset.recovered(singlePsi(psi, r.Preset.Attack.Psi)))
		c.Points = append(c.Points, r.point(psi, score, gold, g.rows...))
	}
	return c
}

// attacked converts the curve to an [attack.Curve], in which curves of different attacks are compared.
func (c Curve) attacked() attack.Curve {
	a := attack.Curve{Model: attack.Model{Name: c.Name}, Axis: "ψ"}
	for _, p := range c.Points {
		a.Points = append(a.Points, attack.Point{Budget: attack.Budget{Text: p.Psi, Value: Value(p.Psi)},
			Estimate: attack.Estimate{Value: p.Value, Lo: p.Lo, Hi: p.Hi}})
	}
	return a
}

// Accuracy holds the share of pictures that show what their prompts ask for, by training step.
type Accuracy struct {
	Output string // predicted quantity: x0, v or epsilon
	Points []AccuracyPoint
}

// AccuracyPoint holds the share of pictures that show what their prompts ask for, after a number of training steps.
type AccuracyPoint struct {
	Steps, Pictures int
	Object, Style   stat.Effect
}

// Accuracies returns the learning curves of the original and of networks that predict other quantities.
func (r *Results) Accuracies() []Accuracy {
	var all []Accuracy
	for _, learning := range r.learning {
		a := Accuracy{Output: outputs[learning.Output]}
		for _, look := range learning.Looks {
			a.Points = append(a.Points, accuracy(look.Steps, look.Views))
		}
		all = append(all, a)
	}
	return all
}

// Gate returns how often the fully trained original draws what its prompts ask for. Methods are judged only if the
// original can draw.
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

// strips returns the data of Figure 2 or 3, which consist of strips alone, in the paper's order.
func (r *Results) strips(figure int) ([]*Probe, error) {
	if figure != 2 && figure != 3 {
		return nil, fmt.Errorf("figure %d does not consist of strips; figures 2 and 3 do", figure)
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

// noPromptOf returns the error for a figure or table without any prompt in the preset. It lists the figures or tables
// that the preset has.
func (r *Results) noPromptOf(what string, shown []string) error {
	why := fmt.Sprintf("has no prompt of %s; it has %s", what, strings.Join(shown, ", "))
	return &study.Lacks{Preset: r.Preset.Name, Why: why}
}
