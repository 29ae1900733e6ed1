package stat

import "math"

// Ranks stores the ranks of x in dst and returns dst. The smallest value has rank 1, and equal values get their average
// rank. If dst is nil, it is allocated.
//
// Special cases are:
//
//	−0 and +0 are equal, ±Inf are ordinary values
//	any NaN                      →  every rank NaN
//	dst != nil, wrong length     →  panic("stat: slice length mismatch")
func Ranks(dst, x []float64, opts ...Option) []float64 {
	if dst == nil {
		dst = make([]float64, len(x))
	}
	mustMatch(len(dst), len(x))
	n := len(x)
	memory := resolve(opts, false).scratch.keysOf(4 * n)
	keys, order := memory[:n], memory[n:2*n]
	for i, v := range x {
		if math.IsNaN(v) {
			for j := range dst {
				dst[j] = math.NaN()
			}
			return dst
		}
		keys[i], order[i] = rankKey(v), uint64(i)
	}
	keys, order = rankSortOrder(keys, order, memory[2*n:3*n], memory[3*n:])
	for lo := 0; lo < n; {
		hi := rankGroupEnd(keys, lo)
		for _, i := range order[lo:hi] {
			dst[i] = float64(lo+1+hi) / 2
		}
		lo = hi
	}
	return dst
}

// rankKey maps floats to integers with the same order. Both zeros have the same key. NaN must not be passed.
func rankKey(v float64) uint64 {
	if v == 0 {
		return 1 << 63
	}
	b := math.Float64bits(v)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// rankValue is the inverse of rankKey.
func rankValue(key uint64) float64 {
	return math.Float64frombits(key ^ (uint64(int64(^key)>>63) | 1<<63))
}

// rankKeys stores the keys of x in dst and reports whether x is free of NaN.
func rankKeys(dst []uint64, x []float64) bool {
	for i, v := range x {
		if math.IsNaN(v) {
			return false
		}
		dst[i] = rankKey(v)
	}
	return true
}

// rankPooled returns the sorted keys of two samples, or a warning if the samples cannot be ranked.
func rankPooled(x, y []float64, scratch *Scratch) (xs, ys []uint64, w Warning) {
	n1, n2 := len(x), len(y)
	memory := scratch.keysOf(n1 + n2 + max(n1, n2))
	xs, ys, spare := memory[:n1], memory[n1:n1+n2], memory[n1+n2:]
	if n1 == 0 || n2 == 0 {
		w |= WarnEmpty
	}
	if !rankKeys(xs, x) || !rankKeys(ys, y) {
		w |= WarnNaN
	}
	if w != 0 {
		return nil, nil, w
	}
	// Both sorts use the spare memory, so the result of the first one is copied back.
	copy(xs, rankSort(xs, spare[:n1]))
	return xs, rankSort(ys, spare[:n2]), 0
}

// rankGroupEnd returns the index after the group of equal keys that starts at lo.
func rankGroupEnd(keys []uint64, lo int) int {
	hi := lo + 1
	for hi < len(keys) && keys[hi] == keys[lo] {
		hi++
	}
	return hi
}
