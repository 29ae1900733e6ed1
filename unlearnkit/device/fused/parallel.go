package fused

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// grain is the number of elements below which a second processor costs more than it brings.
const grain = 1 << 14

// parallel calls work(worker, i) for each i below pieces on as many processors as there are; work counts the elements
// in all. What panics in a piece is raised here.
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
