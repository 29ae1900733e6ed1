package salmu

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

func furtherTables() []study.Extra[*Results] {
	return []study.Extra[*Results]{
		{Name: "scale", About: "sizes in the paper and here", Of: (*Results).scale},
		{Name: "sizes", About: "general knowledge lost by other models, in numbers", Of: (*Results).sizes},
		{Name: "orders", About: "the order of the methods compared with the paper's, for other models",
			Of: (*Results).orders},
		{Name: "fragile", About: "what Clean keeps better, by who chooses the rows", Of: (*Results).fragile},
		{Name: "chosen", About: "how methods change fragile pairs, by the model that selects them", Of: (*Results).chosen},
		{Name: "price", About: "general knowledge lost at equal forgetting, at lower learning rates",
			Of: (*Results).price},
		{Name: "readings", About: "methods compared with other readings of their descriptions",
			Of: (*Results).interpretations},
		{Name: "facts", About: "held-out captions with facts that no method was trained on", Of: (*Results).facts},
		{Name: "portraits", About: "two styles of portraits of people that no model has seen",
			Of: (*Results).portraits},
		{Name: recoveryPreset, About: "what comes back of erased facts, by attack", Of: (*Results).recovery},
		{Name: "worlds", About: "claims whose verdict differs between five worlds and ten", Of: (*Results).worlds},
	}
}

// worlds tabulates the claims whose verdict differs between [Mini] and [TenWorlds].
func (r *Results) worlds() (*report.Table, error) {
	if r.Preset.Name != TenWorlds().Name || r.store == nil {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has five worlds: the preset worlds has ten"}
	}
	mini, err := NewPlan(Mini()).Read(r.store)
	if err != nil {
		return nil, err
	}
	t, same := study.Differing("Claims whose verdict differs (mini, worlds)",
		study.ClaimSet{Name: "mini", Judged: mini.Claims()}, study.ClaimSet{Name: "worlds", Judged: r.Claims()})
	t.Note = fmt.Sprintf("mini: %s, worlds: %s, which include these. The other claims have the same verdict in both "+
		"(%d claims). P-values are corrected within families.", Worlds.Count(mini.Preset.Worlds),
		Worlds.Count(r.Preset.Worlds), same)
	return t, nil
}

// scale tabulates the sizes and settings of the paper and of the preset.
func (r *Results) scale() (*report.Table, error) {
	p := r.Preset
	if p.Download != nil {
		return nil, &study.Lacks{Preset: p.Name, Why: "is of the paper's own size"}
	}
	t := &report.Table{Title: fmt.Sprintf("Sizes of the paper and here (%s)", p.Name), Corner: "What",
		Columns: []report.Column{{Name: "The paper"}, {Name: "Here"}, {Name: "The paper's by ours"}}}
	number := func(v float64) report.Cell {
		if v == math.Trunc(v) {
			return report.Number(strconv.FormatFloat(v, 'f', -1, 64), v)
		}
		return report.Number(strconv.FormatFloat(v, 'g', 3, 64), v)
	}
	add := func(what string, paper, own float64) {
		t.Rows = append(t.Rows, report.Row{Name: what, Cells: []report.Cell{number(paper), number(own),
			number(paper / own)}})
	}
	forget := r.forgetRows()
	paper, own := paperMethods(), p.Methods
	rate := func(m []Method, name, value string) float64 {
		return m[slices.IndexFunc(m, func(m Method) bool { return m.Name == name })].Values[value]
	}
	add("people", paperPeople, float64(p.World.Identities))
	add("sensitive rows", paperSensitive, float64(p.World.Identities*p.World.PerIdentity))
	add("rows to be forgotten", paperForget, forget)
	add("parameters of the model", paperParameters, float64(p.Size.Parameters(p.World.ImageSize)))
	add("passes of pretraining", paperEpochs, float64(p.Training.Epochs))
	add("rows a step of pretraining", paperBatch, float64(p.Training.Batch))
	add("rate of pretraining at its peak", paperPeak, p.Training.Rate)
	add("rows a step of most methods", rate(paper, "direct", "batch"), rate(own, "direct", "batch"))
	add("steps a pass of most methods", math.Ceil(paperForget/rate(paper, "direct", "batch")),
		math.Ceil(forget/rate(own, "direct", "batch")))
	for _, m := range paper {
		if !m.Once {
			add("rate of "+m.Title, m.Values["rate"], rate(own, m.Name, "rate"))
		}
	}
	add("rate of Finetuning by that of pretraining", rate(paper, "finetuning", "rate")/paperPeak,
		rate(own, "finetuning", "rate")/p.Training.Rate)
	const learnt, decay = 4e8, .2 // number of rows in the paper's pretraining, and the method's default
	add("deviation of Descent to Delete's noise", catalogue.DeletionNoise(learnt, decay),
		catalogue.DeletionNoise(learnt, decay))
	add("the same of as many rows as were learnt", catalogue.DeletionNoise(learnt, decay),
		catalogue.DeletionNoise(p.learntRows(), decay))
	add("captions among which RetFail looks for one", 2*1000+1, float64(2*p.Each+1))
	add("rows of the sample to retain", retainSample, float64(p.Retain))
	add("classes of general knowledge", 1000, float64(p.World.ObjectClasses))
	t.Note = "The ratio of a learning rate to the rate of pretraining shows how far a step moves the " +
		"pretrained model."
	return t, nil
}

// Sizes of the paper's data and training, and of OpenCLIP's ViT-B/16.
const (
	paperPeople     = 774    // number of people, from §7.1
	paperSensitive  = 60053. // number of rows in the split sensitive
	paperForget     = 30468. // number of rows in the split forget
	paperEpochs     = 32     // §8.1, which also has paperBatch and paperPeak
	paperBatch      = 8192
	paperParameters = 149.6e6
	paperPeak       = 5e-4
)

// sizes tabulates, for each variant of the models, the general knowledge that methods lose and the leak that remains.
func (r *Results) sizes() (*report.Table, error) {
	variants := r.Preset.Variants
	if len(variants) == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has models of one size"}
	}
	t := &report.Table{Title: fmt.Sprintf("GenKnow lost and RetFail left, in one world (%s)", r.Preset.Name),
		Corners: []string{"Score", "Method"}}
	parameters := report.Named("model", "parameters")
	for _, v := range variants {
		t.Columns = append(t.Columns, report.Column{Name: v.Title})
		count := float64(v.Size.Parameters(v.World.ImageSize))
		parameters.Cells = append(parameters.Cells, report.Number(fmt.Sprintf("%.0f", count), count))
	}
	t.Rows = append(t.Rows, parameters)
	for _, score := range []string{"GenKnow", "RetFail"} {
		base := report.Named(score, "Compromised")
		for _, v := range variants {
			value := r.Preset.column(score).Mean(r.variantBase(v), nil)
			base.Cells = append(base.Cells, report.Number(fmt.Sprintf("%.3f", value), value))
		}
		t.Rows = append(t.Rows, base)
	}
	for _, score := range []struct{ column, shown string }{{"GenKnow", "GenKnow lost"}, {"RetFail", "RetFail left"}} {
		for k, m := range variants[0].Methods { // every variant has the same methods, at its own rates
			row := report.Named(score.shown, m.Title)
			for _, v := range variants {
				row.Cells = append(row.Cells, r.shown(score.column, v, v.Methods[k]))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Note = fmt.Sprintf("After %d passes, in the first world alone, so there are no intervals. Lost: relative "+
		"to Compromised. A dash: the method diverged.", variantBudget)
	return t, nil
}

// shown formats a method's score on a variant. For GenKnow it formats the loss.
func (r *Results) shown(name string, v Variant, method Method) report.Cell {
	after := r.ofVariant(v.judgedIn(method)...)
	if after.Lost() {
		return report.Word("–")
	}
	m := r.Preset.column(name)
	value := m.Mean(after, nil)
	if name == "GenKnow" {
		value = m.Mean(r.variantBase(v), nil) - value
	}
	return report.Number(fmt.Sprintf("%.3f", value), value)
}

// orders tabulates how closely each variant's ranking of the methods agrees with the paper's.
func (r *Results) orders() (*report.Table, error) {
	orders := r.costs().Orders
	if len(orders) == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has models of one size"}
	}
	t := &report.Table{Title: fmt.Sprintf("The order of the methods compared with the paper's, in one world "+
		"(%s)", r.Preset.Name),
		Corner:  "Models",
		Columns: []report.Column{{Name: "RetFail"}, {Name: "p of RetFail"}, {Name: "GenKnow"}, {Name: "p of GenKnow"}}}
	for _, o := range append(orders, r.order()) {
		row := report.Row{Name: o.Variant}
		for _, of := range []struct{ value, p float64 }{{o.Leak.Statistic, o.Leak.P}, {o.Know.Statistic, o.Know.P}} {
			row.Cells = append(row.Cells, report.Number(fmt.Sprintf("%.2f", of.value), of.value),
				report.Number(certify.PText(of.p), of.p))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Note = fmt.Sprintf("Kendall's tau-b of eight methods after %d passes, each with the p-value of a single "+
		"test. The last row is the study itself: means over %s.", variantBudget, Worlds.Count(r.Seeds()))
	return t, nil
}

// order compares how the study's own models and the paper rank the methods, by the means over worlds.
func (r *Results) order() Order {
	o := Order{Variant: fmt.Sprintf("%s, %s", r.Preset.Name, Worlds.Count(r.Seeds()))}
	var own, paper [2][]float64
	for _, m := range r.Preset.Methods {
		if m.Once || !slices.Contains(m.Budgets, variantBudget) {
			continue
		}
		for k, name := range []string{"RetFail", "GenKnow"} {
			own[k] = append(own[k], r.mean(r.Preset.column(name), m.judged(ofMethods, variantBudget)...))
			paper[k] = append(paper[k], printedValue("table5", rowName(m, variantBudget), name))
		}
	}
	o.Leak, o.Know = stat.Kendall(own[0], paper[0]), stat.Kendall(own[1], paper[1])
	return o
}

// relative returns the time of a step at one size as a multiple of the time at another size.
func relative(a, b Size) float64 {
	return float64(a.Layers*a.Width*a.Width) / float64(b.Layers*b.Width*b.Width)
}
