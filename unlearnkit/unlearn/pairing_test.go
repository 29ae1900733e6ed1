package unlearn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
)

func TestPairing_Steps(t *testing.T) {
	for _, test := range []struct {
		pairing Pairing
		rows    []int
		want    []int // indices of the batches that become steps; the batch size is four
	}{
		{Endless, []int{11, 7}, []int{0, 1, 2}},
		{Cycled, []int{11}, []int{0, 1, 2}},
		{Cycled, []int{12, 8}, []int{0, 1, 2}},
		{Cycled, []int{11, 7}, []int{0}},       // batch sizes 4 4 3 and 4 3 4
		{Cycled, []int{15, 7}, []int{0, 2, 3}}, // batch sizes 4 4 4 3 and 4 3 4 3
		{Cycled, []int{16, 6}, []int{0, 2}},    // batch sizes 4 4 4 4 and 4 2 4 2
		{Cycled, []int{6, 14}, []int{0}},       // batch sizes 4 2 and 4 4
		{Cycled, []int{6, 2}, []int{1}},        // batch sizes 4 2 and 2 2
		{Cycled, []int{3, 2}, nil},             // batch sizes 3 and 2
		{Cycled, []int{8, 4, 4}, []int{0, 1}},  // three streams
		{Shortest, []int{16, 9}, []int{0, 1}},  // two full batches and a rest
		{Shortest, []int{9, 16}, []int{0, 1}},  // the same streams in the other order
		{Shortest, []int{3, 16}, nil},          // no batch is full
		{Shortest, []int{16, 16, 4}, []int{0}}, // three streams
	} {
		if got := test.pairing.stepBatches(4, test.rows); !slices.Equal(got, test.want) {
			t.Errorf("pairing %d of %v rows: %v, want %v", test.pairing, test.rows, got, test.want)
		}
	}
}

// paired returns a feed of two streams in batches of four.
func paired(p Pairing, retain, forget int) *feed {
	streams := Streams{Forget: numbered(forget), Retain: numbered(retain)}
	f := newFeed([]string{Retain, Forget}, 4, len(p.stepBatches(4, []int{retain, forget})), 5,
		func(name string, _ uint64) Stream { return streams[name] })
	f.pair(p)
	return f
}

// Cycled streams begin with the pass, and again at their own end.
func TestPairing_Cycled(t *testing.T) {
	f := paired(Cycled, 16, 7) // 4 4 4 4 with 4 3 4 3: the first and the third are steps
	var orders [][]int32
	for pass := range 5 {
		first, third := take(t, f, 2*pass), take(t, f, 2*pass+1)
		if len(first[1]) != 4 || len(first[2]) != 4 || len(third[1]) != 4 || len(third[2]) != 4 {
			t.Fatalf("pass %d: %v, %v", pass, first, third)
		}
		if slices.ContainsFunc(first[1], func(row int32) bool { return slices.Contains(third[1], row) }) {
			t.Errorf("pass %d: the first stream has a row twice: %v, %v", pass, first[1], third[1])
		}
		orders = append(orders, first[2], third[2])
	}
	for i, order := range orders { // each batch begins a new walk
		if slices.ContainsFunc(orders[:i], func(o []int32) bool { return slices.Equal(o, order) }) {
			t.Errorf("batch %d of the second stream is one that has been: %v", i, order)
		}
	}
	whole := paired(Cycled, 16, 8)
	for step := 0; step < 8; step += 2 {
		if rows := slices.Concat(take(t, whole, step)[2], take(t, whole, step+1)[2]); !isPermutation(rows, 8) {
			t.Errorf("steps %d and %d walk through %v", step, step+1, rows)
		}
	}
}

func TestPairing_Shortest(t *testing.T) {
	f := paired(Shortest, 30, 9)
	for pass := range 4 {
		rows := slices.Concat(take(t, f, 2*pass)[2], take(t, f, 2*pass+1)[2])
		if slices.Sort(rows); len(slices.Compact(rows)) != 8 {
			t.Errorf("pass %d: %v", pass, rows)
		}
	}
}

func TestRandom_SeedAndStep(t *testing.T) {
	random := Random{Name: "noise", Columns: []string{"x"},
		Draw: func(random *rand.Rand, rows int) ([]*tensors.Tensor, error) {
			values := make([]int32, rows)
			for i := range values {
				values[i] = random.Int32()
			}
			return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(values, rows)}, nil
		}}
	draw := func(root uint64, steps ...int) (all []string) {
		f := feedOf(root)
		f.random = []Random{random}
		for _, step := range steps {
			batch, err := f.batch(step)
			if err != nil {
				t.Fatal(err)
			}
			column := batch.Inputs[len(batch.Inputs)-1]
			if column.Shape().Dimensions[0] != f.count(step) || len(batch.Inputs) != 4 {
				t.Errorf("step %d: %v of %d inputs", step, column.Shape(), len(batch.Inputs))
			}
			all = append(all, fmt.Sprint(tensors.MustCopyFlatData[int32](column)))
		}
		return all
	}
	inOrder, backwards := draw(3, 0, 1, 2, 3), draw(3, 3, 2, 1, 0)
	slices.Reverse(backwards)
	if !slices.Equal(inOrder, backwards) {
		t.Errorf("%v, asked backwards %v", inOrder, backwards)
	}
	if other := draw(4, 0); other[0] == inOrder[0] || inOrder[0] == inOrder[1] {
		t.Error("another seed or another step draws the same")
	}
}
