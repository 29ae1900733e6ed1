package unslu

import (
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Preset determines the size of the study.
type Preset struct {
	Name       string
	Worlds     int // each world has its own speakers, models and runs
	Backbones  []BackbonePreset
	Benchmarks []Benchmark
	Epochs     EpochSweep // Table 5
	Rates      RateSweep  // Figure 1
	ByPasses   bool       // count seconds in passes, because the runs shared their machine with others
	Download   *Download  // the paper's own data and models; nil in small worlds
}

// BackbonePreset is a backbone with a name. After names the backbone that it starts from. Published is the digest of a
// published backbone's files, which have no spec.
type BackbonePreset struct {
	Name, After string
	BackboneSpec
	Published string
}

// Benchmark is a data set and a backbone: a column of the paper's tables.
type Benchmark struct {
	Table      string // table of the paper
	Set, Model string // as the paper prints them
	Corpus     Corpus // corpus of world 0
	Backbone   string
	Untaught   string // backbone without pre-training to compare with; "" for none
	Training   Training
	Methods    []Method
	Shadows    int // further gold models, which show a model's scores on clips it has not heard
}

// Name returns the benchmark's name as the paper's columns begin.
func (b Benchmark) Name() string { return b.Set + "/" + b.Model }

func (b Benchmark) levels(more ...string) []string { return append([]string{b.Set, b.Model}, more...) }

// shown reports whether one of the tables shows the benchmark.
func (b Benchmark) shown(tables []string) bool {
	return showsAll(tables, b.Table) || b.Name() == epochsBenchmark && slices.Contains(tables, metricsTable)
}

// Method is a row of a table: an unlearning method with the rates that are tried.
type Method struct {
	catalogue.Entry
	Values map[string]float64
	Rates  []float64 // ascending
}

// EpochSweep is Table 5: originals after different numbers of epochs, and a method at one rate that starts from them.
type EpochSweep struct {
	Benchmark string
	Budgets   []int
	Chance    int // models of at most so many epochs are at chance level
	Method    Method
}

// RateSweep is Figure 1: a method at many rates.
type RateSweep struct {
	Benchmark string
	Method    Method
}

// Benchmarks that the paper examines in more detail.
const (
	epochsBenchmark = "SLURP*/wav2vec 2.0"
	ratesBenchmark  = "ITALIC/XLS-R 53-IT"
)

// place returns the index of the benchmark with a name, negative if the preset lacks it.
func (p Preset) place(name string) int {
	return slices.IndexFunc(p.Benchmarks, func(b Benchmark) bool { return b.Name() == name })
}

// levels returns the levels of a row's name on a benchmark: the data set, the backbone, and more.
func (p Preset) levels(benchmark string, more ...string) []string {
	return p.Benchmarks[p.place(benchmark)].levels(more...)
}

// methods returns the distinct methods of all benchmarks.
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

// Only returns the preset with these methods and nothing else.
func (p Preset) Only(methods ...Method) Preset {
	p.Benchmarks = slices.Clone(p.Benchmarks)
	for i := range p.Benchmarks {
		p.Benchmarks[i].Methods = methods
	}
	p.Epochs, p.Rates = EpochSweep{}, RateSweep{}
	return p
}

// With returns the preset with more methods in every benchmark.
func (p Preset) With(methods ...Method) Preset {
	p.Benchmarks = slices.Clone(p.Benchmarks)
	for i := range p.Benchmarks {
		p.Benchmarks[i].Methods = append(slices.Clone(p.Benchmarks[i].Methods), methods...)
	}
	return p
}

// methods returns the paper's methods at the paper's rates, times a factor.
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

// learnsFromUntrained reports whether the method learns from a model that has not learnt intents.
func (m Method) learnsFromUntrained() bool { return m.Name == "bad-teaching" }

// at returns the method at other rates.
func (m Method) at(rates ...float64) Method {
	m.Rates, m.Values = rates, maps.Clone(m.Values)
	return m
}

// beside reports whether the preset adds runs to the paper's study.
func (p Preset) beside() bool { return slices.Contains(beside, p.Name) }

// factorOf returns the factor of a method. The methods with the paper's higher rates are the methods that only learn.
func factorOf(e catalogue.Entry) float64 {
	if e.Rates[0] >= 1e-5 {
		return learningFactor
	}
	return factor
}

// beside names the presets that ask additional questions.
var beside = []string{"wider"}

// Tables of the paper in addition to the tables of benchmarks.
const (
	metricsTable = "4"
	epochsTable  = "5"
)

// showsAll reports whether a table is shown. Without named tables, all tables are shown.
func showsAll(tables []string, table string) bool {
	return len(tables) == 0 || slices.Contains(tables, table)
}

// Factors on the paper's rates. The models are a thousandth as large and train at up to twenty times the rate. They
// have a tenth of the clips, hence a tenth of the steps. Methods that only learn are tried up to the training's rate,
// as in the paper. The others need more, because some of them take only a dozen steps.
const (
	learningFactor = 20
	factor         = 100
)
