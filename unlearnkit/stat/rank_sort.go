package stat

import "slices"

// rankRadixFrom is the length from which sorting by bytes is faster than sorting by comparison.
const rankRadixFrom = 256

// rankDigits counts, for each of the eight bytes of a key, how often each value occurs.
type rankDigits [8][256]uint32

func (d *rankDigits) count(keys []uint64) {
	for _, k := range keys {
		d[0][byte(k)]++
		d[1][byte(k>>8)]++
		d[2][byte(k>>16)]++
		d[3][byte(k>>24)]++
		d[4][byte(k>>32)]++
		d[5][byte(k>>40)]++
		d[6][byte(k>>48)]++
		d[7][byte(k>>56)]++
	}
}

// starts converts the counts of one byte to the first index of each value. It returns false if all keys have the same
// byte.
func (d *rankDigits) starts(digit int, keys []uint64) bool {
	counts := &d[digit]
	if counts[byte(keys[0]>>(8*digit))] == uint32(len(keys)) {
		return false
	}
	var sum uint32
	for v, c := range counts {
		counts[v] = sum
		sum += c
	}
	return true
}

// rankSort sorts keys in ascending order by radix sort and returns the sorted slice. This is either keys or spare,
// which must have the same length.
func rankSort(keys, spare []uint64) []uint64 {
	if len(keys) < rankRadixFrom {
		slices.Sort(keys)
		return keys
	}
	var digits rankDigits
	digits.count(keys)
	for digit := range 8 {
		if !digits.starts(digit, keys) {
			continue
		}
		next, shift := &digits[digit], 8*digit
		for _, k := range keys {
			v := byte(k >> shift)
			spare[next[v]] = k
			next[v]++
		}
		keys, spare = spare, keys
	}
	return keys
}

// rankSortOrder works like rankSort, but moves each key's original index along with it.
func rankSortOrder(keys, order, spareKeys, spareOrder []uint64) (sortedKeys, sortedOrder []uint64) {
	if len(keys) < rankRadixFrom/4 {
		rankInsertOrder(keys, order)
		return keys, order
	}
	var digits rankDigits
	digits.count(keys)
	for digit := range 8 {
		if !digits.starts(digit, keys) {
			continue
		}
		next, shift := &digits[digit], 8*digit
		for i, k := range keys {
			v := byte(k >> shift)
			spareKeys[next[v]], spareOrder[next[v]] = k, order[i]
			next[v]++
		}
		keys, spareKeys = spareKeys, keys
		order, spareOrder = spareOrder, order
	}
	return keys, order
}

func rankInsertOrder(keys, order []uint64) {
	for i := 1; i < len(keys); i++ {
		k, o := keys[i], order[i]
		j := i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j], order[j] = keys[j-1], order[j-1]
		}
		keys[j], order[j] = k, o
	}
}
