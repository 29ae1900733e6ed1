package unslu

import (
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Preset determines the size of the study: its worlds, models, methods and training.
type Preset struct {
	Name       string
	Worlds     int // each world has its own speakers, models and runs
	Backbones  []BackbonePreset
	Benchmarks []Benchmark
	Epochs     EpochSweep // settings of Table 5
	Rates      RateSweep  // settings of Figure 1
	ByPasses   bool       // measure time in passes, because the runs shared their machine
	Download   *Download  // the paper's own data and models; nil for generated data
}

// BackbonePreset is a named backbone. After names the backbone whose weights it starts from. Published is the digest of
// the files if the backbone is published; it then has no spec.
type BackbonePreset struct {
	Name, After string
	BackboneSpec
	Published string
}

// Benchmark is a data set and a backbone: a column of the paper's tables.
type Benchmark struct {
	Table      string // name of the paper's table
	Set, Model string // names of the data set and the backbone, as the paper prints them
	Corpus     Corpus // corpus of the first world; the others differ in the seed
	Backbone   string
	Untaught   string // backbone without pre-training, for comparison; "" if the benchmark lacks one
	Training   Training
	Methods    []Method
	Shadows    int // further gold models, which have not heard the forget clips either
}

// Name returns the benchmark's name, which is also the beginning of its column names in the paper.
func (b Benchmark) Name() string { return b.Set + "/" + b.Model }

func (b Benchmark) levels(more ...string) []string { return append([]string{b.Set, b.Model}, more...) }

// shown reports whether one of the tables shows the benchmark.
func (b Benchmark) shown(tables []string) bool {
	return showsAll(tables, b.Table) || b.Name() == epochsBenchmark && slices.Contains(tables, metricsTable)
}

// Method is an unlearning method with the learning rates that are tried.
type Method struct {
	catalogue.Entry
	Values map[string]float64
	Rates  []float64 // in ascending order
}

// EpochSweep holds the settings of Table 5: originals after different numbers of epochs, and a method at one rate that
// starts from each of them.
type EpochSweep struct {
	Benchmark string
	Budgets   []int
	Chance    int // models with at most this many epochs are at chance level
	Method    Method
}

// RateSweep holds the settings of Figure 1: a method at many learning rates.
type RateSweep struct {
	Benchmark string
	Method    Method
}

// Benchmarks that the paper examines in more detail.
const (
	epochsBenchmark = "SLURP*/wav2vec 2.0"
	ratesBenchmark  = "ITALIC/XLS-R 53-IT"
)

// place returns the index of the benchmark with a name, or a negative number if the preset lacks it.
func (p Preset) place(name string) int {
	return slices.IndexFunc(p.Benchmarks, func(b Benchmark) bool { return b.Name() == name })
}

// levels returns the levels of a row's name on a benchmark: data set, backbone, and more.
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

// Only returns the preset restricted to the given methods, without Table 5 and Figure 1.
func (p Preset) Only(methods ...Method) Preset {
	p.Benchmarks = slices.Clone(p.Benchmarks)
	for i := range p.Benchmarks {
		p.Benchmarks[i].Methods = methods
	}
	p.Epochs, p.Rates = EpochSweep{}, RateSweep{}
	return p
}

// names returns the names of the methods of all benchmarks.
func (p Preset) names() (names []string) {
	for _, b := range p.Benchmarks {
		for _, m := range b.Methods {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// without returns the preset without some methods.
func (p Preset) without(methods []string) Preset {
	p.Benchmarks = slices.Clone(p.Benchmarks)
	for i, b := range p.Benchmarks {
		p.Benchmarks[i].Methods = slices.DeleteFunc(slices.Clone(b.Methods), func(m Method) bool {
			return slices.Contains(methods, m.Name)
		})
	}
	return p
}

// With returns the preset with additional methods on every benchmark.
func (p Preset) With(methods ...Method) Preset {
	p.Benchmarks = slices.Clone(p.Benchmarks)
	for i := range p.Benchmarks {
		p.Benchmarks[i].Methods = append(slices.Clone(p.Benchmarks[i].Methods), methods...)
	}
	return p
}

// methods returns the paper's methods. Their rates are the paper's rates times a factor.
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

// learnsFromUntrained reports whether the method uses a teacher that has not learnt intents.
func (m Method) learnsFromUntrained() bool { return m.Name == "bad-teaching" }

// at returns the method at other rates.
func (m Method) at(rates ...float64) Method {
	m.Rates, m.Values = rates, maps.Clone(m.Values)
	return m
}

// isAddition reports whether the preset is an addition to the paper's study.
func (p Preset) isAddition() bool { return slices.Contains(additions, p.Name) }

// factorOf returns the factor on a method's rates. Methods with the paper's higher rates (FT, CF-k and UNSIR) get the
// smaller factor.
func factorOf(e catalogue.Entry) float64 {
	if e.Rates[0] >= 1e-5 {
		return learningFactor
	}
	return factor
}

// additions names the presets that are additions to the paper's study.
var additions = []string{"wider"}

// Numbers of the paper's tables that are not tables of benchmarks.
const (
	metricsTable = "4"
	epochsTable  = "5"
)

// showsAll reports whether a table is among the tables to show. If none is named, all are shown.
func showsAll(tables []string, table string) bool {
	return len(tables) == 0 || slices.Contains(tables, table)
}

// Factors on the paper's rates. The models are a thousandth as large and train at up to twenty times the paper's rate.
// They have a tenth of the clips, hence a tenth of the steps. FT, CF-k and UNSIR are tried up to the rate of the
// training, as in the paper. The other methods need a larger factor, because some of them take only a dozen steps.
const (
	learningFactor = 20
	factor         = 100
)
