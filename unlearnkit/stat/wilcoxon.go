package stat

import "math"

// WilcoxonResult is the result of a Wilcoxon signed-rank test. Statistic is min(R+, R−) for the two-sided alternative
// and R+ for the others.
type WilcoxonResult struct {
	Result
	RPlus, RMinus float64 // rank sum of the positive differences, and of the negative ones
	Zeros         int     // number of differences that are zero
	Ties          int     // number of groups of equal non-zero absolute differences
	// standardised R+, with the continuity correction if requested; positive if x tends to be larger
	Z float64
}

// wilcoxonAutoPairs and wilcoxonAutoTied are the largest numbers of pairs for which Auto is exact, without and with
// ties or zeros.
const (
	wilcoxonAutoPairs = 50
	wilcoxonAutoTied  = 13
)

// wilcoxonRough is the number of ranked differences from which the normal approximation has no WarnSmallSample.
const wilcoxonRough = 10

// Wilcoxon performs the Wilcoxon signed-rank test on the paired samples x and y. The null hypothesis is that the
// differences x − y are symmetric about zero; Greater means that x tends to be larger.
//
// Zero differences are dropped unless a [ZeroMethod] is given. Equal absolute differences get their average rank. The
// normal approximation is
//
//	z = (R+ − n(n+1)/4) / sqrt((n(n+1)(2n+1) − ½Σ(t³−t)) / 24)
//
// over tied groups of size t, with Cureton's (1967) adjustment under PrattZeros. [Correction] (off by default) moves R+
// by ½ towards its mean.
//
// Auto follows scipy.stats.wilcoxon. It is exact for at most 13 pairs, or for at most 50 pairs without zeros and ties,
// where the number of pairs includes zeros. Otherwise it is asymptotic. Exact uses the distribution of R+ over all 2ⁿ
// assignments of signs to the observed ranks, including ties and zeros. If this takes more than about 4·10⁹ additions,
// the p-value is asymptotic, with WarnFellBack. (If there are ties, scipy's "exact" method uses the distribution
// without ties.) An asymptotic p-value has WarnSmallSample if there are fewer than 10 ranked differences.
//
// The effect is the matched-pairs rank-biserial correlation (R+ − R−)/(R+ + R−).
//
// Special cases are:
//
//	no pairs, NaN, Inf − Inf  →  P = NaN with WarnEmpty, WarnNaN, WarnInf
//	all differences zero      →  P = 1, Z and effect 0, with WarnAllTied
//	len(x) != len(y)          →  panic("stat: slice length mismatch")
func Wilcoxon(x, y []float64, opts ...Option) WilcoxonResult {
	mustMatch(len(x), len(y))
	s := resolve(opts, false)
	memory := s.scratch.keysOf(2 * len(x))
	var w signedRanks
	for i := range x {
		w.add(memory, x[i]-y[i], math.IsNaN(x[i]) || math.IsNaN(y[i]))
	}
	return w.test(memory, len(x), s)
}

// WilcoxonDifferences performs [Wilcoxon] on given differences.
func WilcoxonDifferences(d []float64, opts ...Option) WilcoxonResult {
	s := resolve(opts, false)
	memory := s.scratch.keysOf(2 * len(d))
	var w signedRanks
	for _, v := range d {
		w.add(memory, v, math.IsNaN(v))
	}
	return w.test(memory, len(d), s)
}

// signedRanks holds the ranks of absolute differences, separated by sign. Rank sums are multiplied by 2, so that they
// are integers.
type signedRanks struct {
	keys        []uint64 // keys of the non-zero differences: the bits of |d|, then one bit that is set if d > 0
	zeros       int
	ties        int
	offset      int     // rank just below the smallest non-zero difference
	plus, minus int64   // doubled sums of the ranks of positive and negative differences
	zeroShare   int64   // part of the zeros' rank sum that each side receives, times 2
	tieSum      float64 // Σ(t³−t)
	warnings    Warning
}

// add adds one difference. A float's sign is a separate bit, so that shifting the bits orders differences by absolute
// value.
func (w *signedRanks) add(memory []uint64, d float64, missing bool) {
	switch {
	case missing:
		w.warnings |= WarnNaN
	case math.IsNaN(d):
		w.warnings |= WarnInf
	case d == 0:
		w.zeros++
	default:
		b := math.Float64bits(d)
		n := len(w.keys)
		w.keys = memory[:n+1]
		w.keys[n] = b<<1 | (b>>63 ^ 1)
	}
}

// rank sorts the differences and computes the rank sums.
func (w *signedRanks) rank(memory []uint64, method ZeroMethod) {
	n := len(w.keys)
	w.keys = rankSort(w.keys, memory[len(memory)/2:][:n])
	if method != DropZeros {
		w.offset = w.zeros
	}
	if z := w.zeros; method == SplitZeros {
		w.zeroShare = int64(z) * int64(z+1) / 2
		w.tieSum = rankTieTerm(z)
	}
	for lo := 0; lo < n; {
		hi, positive := lo, 0
		for ; hi < n && w.keys[hi]>>1 == w.keys[lo]>>1; hi++ {
			positive += int(w.keys[hi] & 1)
		}
		doubled := int64(2*w.offset + lo + 1 + hi)
		w.plus += doubled * int64(positive)
		w.minus += doubled * int64(hi-lo-positive)
		if hi > lo+1 {
			w.ties++
			w.tieSum += rankTieTerm(hi - lo)
		}
		lo = hi
	}
}

// test returns the result for n pairs, whose differences were added.
func (w *signedRanks) test(memory []uint64, n int, s settings) WilcoxonResult {
	r := WilcoxonResult{Result: Result{Test: "wilcoxon", Alternative: s.alternative, N: len(w.keys),
		Warnings: w.warnings}, Zeros: w.zeros}
	if n == 0 {
		r.Warnings |= WarnEmpty
	}
	if r.Warnings != 0 {
		nan := math.NaN()
		r.Statistic, r.P, r.Z, r.RPlus, r.RMinus, r.Effect = nan, nan, nan, nan, nan, bare("rank-biserial", nan)
		r.Method = s.rankMethodOr(Asymptotic)
		return r
	}
	w.rank(memory, s.zeroMethod)
	r.Ties = w.ties
	r.RPlus, r.RMinus = float64(w.plus+w.zeroShare)/2, float64(w.minus+w.zeroShare)/2
	r.Statistic = r.RPlus
	if s.alternative == TwoSided {
		r.Statistic = min(r.RPlus, r.RMinus)
	}
	if s.zeroMethod != DropZeros {
		r.N = n
	}
	w.warn(&r, s.zeroMethod)
	if len(w.keys) == 0 {
		r.Warnings |= WarnAllTied
		r.P, r.Effect, r.Method = 1, bare("rank-biserial", 0), Exact
		return r
	}
	r.Effect = bare("rank-biserial", float64(w.plus-w.minus)/float64(w.plus+w.minus+2*w.zeroShare))
	r.Z = w.standardise(s, r.RPlus)
	r.Method = s.rankMethodOr(w.auto(n))
	if r.Method == Exact {
		if p, ok := w.exact(s); ok {
			r.P = p
			return r
		}
		r.Warnings |= WarnFellBack
		r.Method = Asymptotic
	}
	if len(w.keys) < wilcoxonRough {
		r.Warnings |= WarnSmallSample
	}
	r.P = normalP(r.Z, s.alternative)
	return r
}

func (w *signedRanks) warn(r *WilcoxonResult, method ZeroMethod) {
	if w.ties > 0 {
		r.Warnings |= WarnTies
	}
	if w.zeros > 0 && method == DropZeros {
		r.Warnings |= WarnZeros
	}
}

// auto returns the method that scipy.stats.wilcoxon uses for n pairs.
func (w *signedRanks) auto(n int) Method {
	if n <= wilcoxonAutoTied || n <= wilcoxonAutoPairs && w.zeros == 0 && w.ties == 0 {
		return Exact
	}
	return Asymptotic
}

// standardise returns the standardised R+.
func (w *signedRanks) standardise(s settings, rPlus float64) float64 {
	n, zeros := float64(len(w.keys)+w.offset), 0.
	if s.zeroMethod == PrattZeros {
		zeros = float64(w.zeros)
	}
	mean := (n*(n+1) - zeros*(zeros+1)) / 4
	deviation := math.Sqrt((n*(n+1)*(2*n+1) - zeros*(zeros+1)*(2*zeros+1) - w.tieSum/2) / 24)
	return rankStandardise(rPlus-mean, deviation, s)
}
