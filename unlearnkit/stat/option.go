package stat

import "math"

// Option modifies a test. It is an [Alternative], a [Method], a [Correction], a [Level], a [Seed], a number of
// [Resamples], a [*Scratch], or an option of a single test.
type Option interface{ option() }

// Alternative selects the direction of the alternative hypothesis.
type Alternative uint8

const (
	TwoSided Alternative = iota // differences in both directions; the default
	Less                        // x tends to be smaller than y, or than the given value
	Greater                     // x tends to be larger than y, or than the given value
)

// String returns the name of the alternative on the command line.
func (a Alternative) String() string {
	switch a {
	case Less:
		return "less"
	case Greater:
		return "greater"
	}
	return "two-sided"
}

// Method selects how a p-value is computed.
type Method uint8

const (
	Auto       Method = iota // the test chooses by its documented rule
	Exact                    // from the exact distribution of the statistic
	Asymptotic               // from the limiting distribution of the statistic
	MonteCarlo               // from random resamples
)

// String returns the name of the method on the command line.
func (m Method) String() string {
	switch m {
	case Exact:
		return "exact"
	case Asymptotic:
		return "asymptotic"
	case MonteCarlo:
		return "monte-carlo"
	}
	return "auto"
}

// Correction switches a test's continuity correction on or off.
type Correction bool

// Level is the confidence level of intervals. The default is .95.
type Level float64

// Seed selects the random stream of a test. The default is 0.
type Seed uint64

// Resamples is the number of random resamples. The default is 9,999.
type Resamples int

func (Alternative) option() {}
func (Method) option()      {}
func (Correction) option()  {}
func (Level) option()       {}
func (Seed) option()        {}
func (Resamples) option()   {}
func (*Scratch) option()    {}

// ZeroMethod selects how [Wilcoxon] handles zero differences.
type ZeroMethod uint8

const (
	DropZeros  ZeroMethod = iota // remove them before ranking (Wilcoxon 1945); the default
	PrattZeros                   // rank them with the other differences, then drop their ranks (Pratt 1959)
	SplitZeros                   // rank them with the other differences and give half of their rank sum to each side
)

// String returns scipy's name of the method.
func (z ZeroMethod) String() string {
	switch z {
	case PrattZeros:
		return "pratt"
	case SplitZeros:
		return "zsplit"
	}
	return "wilcox"
}

// TieAware makes the exact p-value of [KS2] conditional on the observed ties, as in R's psmirnov. Otherwise the exact
// p-value is conservative if there are ties.
type TieAware bool

func (ZeroMethod) option() {}
func (TieAware) option()   {}

// Scratch is working memory that a caller may pass to many tests, one after another. The zero value is ready.
type Scratch struct {
	floats []float64
	ints   []int
	keys   []uint64
}

// floatsOf returns n floats with arbitrary values.
func (s *Scratch) floatsOf(n int) []float64 {
	if s == nil {
		return make([]float64, n)
	}
	if cap(s.floats) < n {
		s.floats = make([]float64, n)
	}
	return s.floats[:n]
}

// intsOf returns n ints with arbitrary values.
func (s *Scratch) intsOf(n int) []int {
	if s == nil {
		return make([]int, n)
	}
	if cap(s.ints) < n {
		s.ints = make([]int, n)
	}
	return s.ints[:n]
}

// keysOf returns n sort keys with arbitrary values.
func (s *Scratch) keysOf(n int) []uint64 {
	if s == nil {
		return make([]uint64, n)
	}
	if cap(s.keys) < n {
		s.keys = make([]uint64, n)
	}
	return s.keys[:n]
}

// settings holds the resolved options of one call.
type settings struct {
	alternative Alternative
	method      Method
	correction  bool
	level       float64
	levelGiven  bool
	seed        uint64
	resamples   int
	scratch     *Scratch
	zeroMethod  ZeroMethod
	tieAware    bool
	midP        bool
	variance    RiskDifferenceVariance
	efficiency  float64
}

// resolve applies opts to the defaults. correction is the default of the continuity correction. A type switch, unlike
// methods of the options, keeps the options off the heap.
func resolve(opts []Option, correction bool) settings {
	s := settings{correction: correction, level: .95, resamples: 9999, efficiency: 3 / math.Pi}
	for _, o := range opts {
		switch o := o.(type) {
		case Alternative:
			s.alternative = o
		case Method:
			s.method = o
		case Correction:
			s.correction = bool(o)
		case Level:
			s.level, s.levelGiven = float64(o), true
		case Seed:
			s.seed = uint64(o)
		case Resamples:
			s.resamples = int(o)
		case *Scratch:
			s.scratch = o
		case ZeroMethod:
			s.zeroMethod = o
		case TieAware:
			s.tieAware = bool(o)
		case MidP:
			s.midP = bool(o)
		case RiskDifferenceVariance:
			s.variance = o
		case Efficiency:
			s.efficiency = float64(o)
		}
	}
	return s
}
