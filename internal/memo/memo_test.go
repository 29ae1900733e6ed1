package memo_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/memo"
)

func ExampleMap_Get() {
	var squares memo.Map[int, int]
	square := func() (int, error) {
		fmt.Println("computing")
		return 9, nil
	}
	for range 2 {
		fmt.Println(squares.Get(3, square))
	}
	// Output:
	// computing
	// 9 <nil>
	// 9 <nil>
}

func TestMap_Once(t *testing.T) {
	var values memo.Map[string, int]
	var calls atomic.Int32
	failed := errors.New("failed")
	var group sync.WaitGroup
	for i := range 100 {
		key := fmt.Sprint(i % 2)
		group.Go(func() {
			got, err := values.Get(key, func() (int, error) { return int(calls.Add(1)), failed })
			if got == 0 || err != failed {
				t.Errorf("Get(%s) = %d, %v; want a positive number and %v", key, got, err, failed)
			}
		})
	}
	group.Wait()
	if got := calls.Load(); got != 2 {
		t.Errorf("%d computations of two keys, want 2", got)
	}
}
