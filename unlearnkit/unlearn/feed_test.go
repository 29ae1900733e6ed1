package unlearn

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
)

// numbered returns a stream whose only column holds the row indices.
func numbered(rows int) Table {
	values := make([]int32, rows)
	for i := range values {
		values[i] = int32(i)
	}
	return Table{"row": tensors.FromFlatDataAndDimensions(values, rows)}
}

// drawn is the output of feeds, step by step: the permutation and the rows of each stream.
type drawn [][]int32

func take(t *testing.T, f *feed, step int) drawn {
	t.Helper()
	batch, err := f.batch(step)
	if err != nil {
		t.Fatal(err)
	}
	var all drawn
	for _, input := range batch.Inputs {
		all = append(all, tensors.MustCopyFlatData[int32](input))
	}
	if batch.Examples != len(all[0])*(len(all)-1) {
		t.Errorf("step %d: %d examples of %d rows in %d streams", step, batch.Examples, len(all[0]), len(all)-1)
	}
	return all
}

// feedOf returns a feed of two streams in batches of 4. The first has 11 rows: 3 steps per pass, the last with 3 rows.
// The second has 7 rows.
func feedOf(root uint64) *feed {
	streams := Streams{Forget: numbered(11), Retain: numbered(7)}
	return newFeed([]string{Forget, Retain}, 4, 3, root, func(name string, _ uint64) Stream { return streams[name] })
}

func isPermutation(rows []int32, n int) bool {
	sorted := slices.Clone(rows)
	slices.Sort(sorted)
	for i := range n {
		if len(rows) != n || sorted[i] != int32(i) {
			return false
		}
	}
	return true
}

func TestFeed_EachRowOnce(t *testing.T) {
	f := feedOf(3)
	var orders [][]int32
	for pass := range 20 {
		var order []int32
		for within, size := range []int{4, 4, 3} {
			got := take(t, f, 3*pass+within)
			if len(got[1]) != size || len(got[2]) != size || !isPermutation(got[0], size) {
				t.Fatalf("pass %d, batch %d: %v", pass, within, got)
			}
			order = append(order, got[1]...)
		}
		if !isPermutation(order, 11) {
			t.Errorf("pass %d visits %v", pass, order)
		}
		if slices.ContainsFunc(orders, func(other []int32) bool { return slices.Equal(other, order) }) {
			t.Errorf("pass %d has the order of another: %v", pass, order)
		}
		orders = append(orders, order)
	}
}

// The second stream continues across passes, and restarts at its own end.
func TestFeed_SecondStream(t *testing.T) {
	f := feedOf(3)
	var all []int32
	for step := range 21 { // 7 passes over 11 rows are 11 passes over 7 rows
		all = append(all, take(t, f, step)[2]...)
	}
	var orders [][]int32
	for order := range slices.Chunk(all, 7) {
		if !isPermutation(order, 7) {
			t.Errorf("a walk through the stream is %v", order)
		}
		if len(orders) > 0 && slices.Equal(orders[len(orders)-1], order) {
			t.Errorf("two walks have the order %v", order)
		}
		orders = append(orders, order)
	}
	if len(orders) != 11 {
		t.Errorf("%d walks, want 11", len(orders))
	}
}

func TestFeed_StepAlone(t *testing.T) {
	inOrder := map[int]string{}
	f := feedOf(8)
	for step := range 40 {
		inOrder[step] = fmt.Sprint(take(t, f, step))
	}
	asked := feedOf(8)
	for _, step := range []int{39, 0, 17, 17, 3, 38, 2, 1, 0, 25} {
		if got := fmt.Sprint(take(t, asked, step)); got != inOrder[step] {
			t.Errorf("step %d asked out of order: %s, want %s", step, got, inOrder[step])
		}
	}
	if fresh := feedOf(8); fmt.Sprint(take(t, fresh, 25)) != inOrder[25] {
		t.Error("a new feed hands out other rows")
	}
	if other := feedOf(9); fmt.Sprint(take(t, other, 25)) == inOrder[25] {
		t.Error("another seed hands out the same rows")
	}
	distinct := map[string]bool{}
	for step := range 40 {
		distinct[fmt.Sprint(take(t, f, step)[0])] = true
	}
	if len(distinct) < 12 { // there are 24 permutations of four rows and 6 of three
		t.Errorf("%d permutations within 40 batches", len(distinct))
	}
}
