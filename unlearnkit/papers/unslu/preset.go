package unslu

import (
	"errors"
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Preset is how large the study is.
type Preset struct {
	Name       string
	Worlds     int // each with its own speakers, models and runs
	Backbones  []BackbonePreset
	Benchmarks []Benchmark
	Epochs     EpochSweep // Table 5
	Rates      RateSweep  // Figure 1
	ByPasses   bool       // seconds are counted in passes: the runs shared their machine with others
	Download   *Download  // of the paper's own data and models; nil in small worlds
}

// BackbonePreset is a backbone by a name; After names the one that it starts from. One that is published has the digest
// of its files in place of all that determines a small one.
type BackbonePreset struct {
	Name, After string
	BackboneSpec
	Published string
}

// Benchmark is a data set and a backbone: a column of the paper's tables.
type Benchmark struct {
	Table      string // of the paper
	Set, Model string // as the paper prints them
	Corpus     Corpus // of world 0
	Backbone   string
	Untaught   string // the backbone of first values, beside which the pre-trained one is held; "" of none
	Training   Training
	Methods    []Method
	Shadows    int // further gold models, which tell what a model makes of clips that it has not heard
}

// Name is the benchmark's as the paper's columns begin.
func (b Benchmark) Name() string { return b.Set + "/" + b.Model }

func (b Benchmark) levels(more ...string) []string { return append([]string{b.Set, b.Model}, more...) }

// shown tells whether one of the tables shows the benchmark.
func (b Benchmark) shown(tables []string) bool {
	return showsAll(tables, b.Table) || b.Name() == epochsBenchmark && slices.Contains(tables, metricsTable)
}

// Method is a row of a table: a method of unlearning at the rates that are tried.
type Method struct {
	catalogue.Entry
	Values map[string]float64
	Rates  []float64 // rising
}

// EpochSweep is Table 5: originals of so many epochs, and what a method at one rate makes of them.
type EpochSweep struct {
	Benchmark string
	Budgets   []int
	Chance    int // models of at most so many epochs are at chance
	Method    Method
}

// RateSweep is Figure 1: a method at many rates.
type RateSweep struct {
	Benchmark string
	Method    Method
}

// Benchmarks on which the paper looks more closely.
const (
	epochsBenchmark = "SLURP*/wav2vec 2.0"
	ratesBenchmark  = "ITALIC/XLS-R 53-IT"
)

// place is that of the benchmark of a name; negative where the preset has none.
func (p Preset) place(name string) int {
	return slices.IndexFunc(p.Benchmarks, func(b Benchmark) bool { return b.Name() == name })
}

// levels returns the name of a row of a benchmark: its data set, its backbone, and more.
func (p Preset) levels(benchmark string, more ...string) []string {
	return p.Benchmarks[p.place(benchmark)].levels(more...)
}

// methods are those of any benchmark.
func (p Preset) methods() (entries []catalogue.Entry) {
	for _, b := range p.Benchmarks {
		for _, m := range b.Methods {
			if !slices.ContainsFunc(entries, func(e catalogue.Entry) bool { return e.Name == m.Name }) {
				entries = append(entries, m.Entry)
			}
		}
	}
	return entries
}

// Only leaves the study nothing but these methods.
func (p Preset) Only(methods ...Method) Preset {
	p.Benchmarks = slices.Clone(p.Benchmarks)
	for i := range p.Benchmarks {
		p.Benchmarks[i].Methods = methods
	}
	p.Epochs, p.Rates = EpochSweep{}, RateSweep{}
	return p
}

// With adds methods to every benchmark.
func (p Preset) With(methods ...Method) Preset {
	p.Benchmarks = slices.Clone(p.Benchmarks)
	for i := range p.Benchmarks {
		p.Benchmarks[i].Methods = append(slices.Clone(p.Benchmarks[i].Methods), methods...)
	}
	return p
}

// methods are the paper's at its rates, times a factor.
func methods() []Method {
	var all []Method
	for _, entry := range catalogue.Classifying.Entries() {
		m := Method{Entry: entry}
		for _, rate := range entry.Rates {
			m.Rates = append(m.Rates, rate*factorOf(entry))
		}
		all = append(all, m)
	}
	return all
}

// learnsFromUntrained tells whether the method learns from a model that has not learnt intents.
func (m Method) learnsFromUntrained() bool { return m.Name == "bad-teaching" }

// at is a method at other rates.
func (m Method) at(rates ...float64) Method {
	m.Rates, m.Values = rates, maps.Clone(m.Values)
	return m
}

// Presets are those that can be named; [Paper] is made of a download.
func Presets() []Preset { return []Preset{Smoke(), Quick(), Mini(), Wider()} }

// beside reports whether the preset adds runs to those of the paper's study.
func (p Preset) beside() bool { return slices.Contains(beside, p.Name) }

// Named returns a preset by its name.
func Named(name string) (Preset, error) {
	if name == study.PaperPreset {
		return Preset{}, errors.New("the preset paper is made of a download: Paper returns it")
	}
	return study.Named("unslu", name, Presets(), func(p Preset) string { return p.Name }, ", and paper with a download")
}
