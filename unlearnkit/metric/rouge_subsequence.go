package metric

import "math/bits"

// LongestCommonSubsequence returns the length of the longest sequence of tokens that occurs in a and in b in the same
// order, possibly with gaps.
//
// It stores one bit per token of a and updates 64 bits at once for each token of b (Hyyrö, "Bit-parallel LCS-length
// computation revisited", 2004):
//
//	U = V & match[b_j],  V = (V + U) | (V − U),
//
// where the zero bits of V count the subsequence. Time is O(|a||b|/64), and memory O(|a|) plus the distinct tokens of
// a.
func LongestCommonSubsequence[T comparable](a, b []T) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	words := (len(a) + 63) / 64
	match := make(map[T][]uint64, len(a))
	for i, t := range a {
		if match[t] == nil {
			match[t] = make([]uint64, words)
		}
		match[t][i/64] |= 1 << (i % 64)
	}
	row := make([]uint64, words)
	for w := range row {
		row[w] = ^uint64(0)
	}
	for _, t := range b {
		mask := match[t]
		if mask == nil {
			continue
		}
		var carry uint64
		for w, v := range row {
			u := v & mask[w]
			var sum uint64
			sum, carry = bits.Add64(v, u, carry)
			row[w] = sum | v&^u // equals V − U, because all bits of U are set in V
		}
	}
	length := 0
	for _, v := range row {
		length += bits.OnesCount64(^v) // bits after len(a) never match and remain ones
	}
	return length
}
