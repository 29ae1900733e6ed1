package stat

import (
	"cmp"
	"maps"
	"slices"
)

// friedmanMostColumns and friedmanWork limit the exact computation: the number of columns, and the number of times that
// a reordered row is added.
const (
	friedmanMostColumns = 7
	friedmanWork        = 10_000_000
)

// rankSums holds the column sums of doubled ranks in ascending order. Their order is irrelevant, because all orders of
// a row's ranks are equally likely.
type rankSums [friedmanMostColumns]int32

// friedmanExactP returns the probability that random reordering of the doubled ranks within each row spreads the k
// column sums at least as much as observed. ok is false if the table is too large.
func friedmanExactP(doubled []int, k int) (p float64, ok bool) {
	if k > friedmanMostColumns {
		return 0, false
	}
	var observed rankSums
	for i, d := range doubled {
		observed[i%k] += int32(d)
	}
	orders := friedmanOrders(k)
	mass := map[rankSums]float64{{}: 1}
	work := 0
	for row := range slices.Chunk(doubled, k) {
		work += len(mass) * len(orders)
		if work > friedmanWork {
			return 0, false
		}
		next := make(map[rankSums]float64, 2*len(mass))
		// A fixed order makes rounding independent of the map's order.
		for _, sums := range slices.SortedFunc(maps.Keys(mass), compareRankSums) {
			share := mass[sums] / float64(len(orders))
			for _, order := range orders {
				moved := sums
				for j, from := range order {
					moved[j] += int32(row[from])
				}
				slices.Sort(moved[:k])
				next[moved] += share
			}
		}
		mass = next
	}
	seen := observed.squares()
	for _, sums := range slices.SortedFunc(maps.Keys(mass), compareRankSums) {
		if sums.squares() >= seen {
			p += mass[sums]
		}
	}
	return min(p, 1), true
}

func compareRankSums(a, b rankSums) int {
	for j := range a {
		if c := cmp.Compare(a[j], b[j]); c != 0 {
			return c
		}
	}
	return 0
}

// squares returns the sum of squares. It orders tables with the same ranks as χ² does.
func (r rankSums) squares() (sum int64) {
	for _, v := range r {
		sum += int64(v) * int64(v)
	}
	return sum
}

// friedmanOrders returns all permutations of 0 … k−1.
func friedmanOrders(k int) [][]int {
	all := [][]int{{}}
	for v := range k {
		var longer [][]int
		for _, p := range all {
			for at := range v + 1 {
				longer = append(longer, slices.Insert(slices.Clone(p), at, v))
			}
		}
		all = longer
	}
	return all
}
