package fused

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// grain is the number of elements below which a second processor does not pay off.
const grain = 1 << 14

// parallel calls work(i) for each i below pieces on the available processors; elements is the total amount of work. A
// panic in a piece is raised again in the caller.
func parallel(elements, pieces int, work func(piece int)) {
	workers := min(runtime.GOMAXPROCS(0), pieces, 1+elements/grain)
	if workers <= 1 {
		for i := range pieces {
			work(i)
		}
		return
	}
	var next atomic.Int64
	var failed atomic.Value
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			defer func() {
				if cause := recover(); cause != nil {
					failed.CompareAndSwap(nil, fmt.Errorf("%v", cause))
				}
			}()
			for i := next.Add(1) - 1; i < int64(pieces); i = next.Add(1) - 1 {
				work(int(i))
			}
		})
	}
	group.Wait()
	if cause := failed.Load(); cause != nil {
		panic(cause)
	}
}
