package salmu

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Keys of the labels of scores. Tables, figures and claims select scores by them.
const (
	partKey    study.Key[string]  = "part"    // part of the study
	modelKey   study.Key[string]  = "model"   // base model: clean, compromised or independent
	methodKey  study.Key[string]  = "method"  // unlearning method
	budgetKey  study.Key[int]     = "budget"  // passes over the forget rows
	rateKey    study.Key[float64] = "rate"    // learning rate
	variantKey study.Key[string]  = "variant" // title of the variant
	trialKey   study.Key[int]     = "trial"   // index of the trial in the preset
)

// Parts of the study.
const (
	ofBases     = "base models"
	ofPortraits = "portraits" // scores of two styles of portraits by base models
	ofMethods   = "methods"
	ofClean     = "methods from Clean"
	ofRates     = "rates"
	ofVariants  = "variants"
	ofTrials    = "trials"
)

// portraitsOf returns the labels of a base model's scores of portraits, in the study or in a trial.
func portraitsOf(model string, trial ...study.Label) []study.Label {
	part := ofPortraits
	if len(trial) > 0 {
		part = ofPortraits + " of trials"
	}
	return append([]study.Label{partKey.Is(part), modelKey.Is(model)}, trial...)
}

// judged returns the labels of a method's scores after some passes.
func (m Method) judged(part string, budget int) []study.Label {
	return []study.Label{partKey.Is(part), methodKey.Is(m.Name), budgetKey.Is(budget), rateKey.Is(m.Values["rate"])}
}

// judgedIn returns the labels of a method's scores in a trial.
func (m Method) judgedIn(trial, budget int) []study.Label {
	return append(m.judged(ofTrials, budget), trialKey.Is(trial))
}

// judgedIn returns the labels of a method's scores in a variant.
func (v Variant) judgedIn(m Method) []study.Label {
	return append(m.judged(ofVariants, variantBudget), variantKey.Is(v.Title))
}

// named returns the labels of the scores of a base model.
func named(model string) []study.Label { return []study.Label{partKey.Is(ofBases), modelKey.Is(model)} }

// base returns the scores of a base model in a world.
func (r *Results) base(world int, model string) *study.Evaluation {
	return r.set.Find(world, named(model)...)
}

// baseRow returns the row of a base model.
func (r *Results) baseRow(name string, reference bool, model string) study.Row {
	return r.set.Row([]string{name}, reference, named(model)...)
}

// certify returns the cells of rows and columns.
func (r *Results) certify(rows []study.Row, metrics []study.Metric) []certify.Cell {
	return table.Cells(rows, study.Columns(metrics, r.set.References()))
}

// mean returns the mean of a metric over worlds, for the model with the labels.
func (r *Results) mean(m study.Metric, labels ...study.Label) (mean float64) {
	refs := r.set.References()
	for i, world := range r.set.Repetitions {
		mean += m.Mean(r.set.Find(world, labels...), refs[i]) / float64(r.Seeds())
	}
	return mean
}

// rowLevels returns the levels of the name of a row: the method and, if the method has several, the budget.
func rowLevels(m Method, budget int) []string {
	if m.Once {
		return []string{m.Title}
	}
	return []string{m.Title, fmt.Sprintf("%dx", budget)}
}

// rowName returns the name of a row as Table 5 prints it.
func rowName(m Method, budget int) string { return strings.Join(rowLevels(m, budget), "/") }

// known returns scores of all methods of the paper.
var known = sync.OnceValue(func() study.Entries { return NewPlan(Smoke()).Scores })

// at returns the panel's name of a method of the paper at a budget. It panics if the paper has no such method.
func at(method string, budget int) string {
	known().Check(methodKey.Is(method))
	return nameOf(method, budget)
}

// nameOf returns the panel's name of a method at a budget.
func nameOf(method string, budget int) string { return fmt.Sprintf("%s %dx", method, budget) }

// afterClean returns the panel's name of a method of the paper that starts from Clean.
func afterClean(method string) string { return "clean " + at(method, sensitivityBudget) }

// has reports whether the preset has the method in Table 5.
func (p Preset) has(method string) bool {
	return slices.ContainsFunc(p.Methods, func(m Method) bool { return m.Name == method })
}
