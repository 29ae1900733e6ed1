package stat

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// resampleChunk is the number of resamples that share one random stream. Changing it would change the results for every
// seed.
const resampleChunk = 64

// A chunkStream is the random stream of one chunk of resamples.
type chunkStream struct{ pcg rand.PCG }

// reset starts the stream of one chunk. The chunk number goes through the finaliser of SplitMix64, because PCG states
// that differ in a few bits start with correlated numbers.
func (s *chunkStream) reset(seed uint64, chunk int) {
	z := (uint64(chunk) + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	s.pcg.Seed(seed, z^z>>31)
}

// inChunks runs resamples 0 to m−1, chunk by chunk, on all processors. Each goroutine calls worker once, and then calls
// the returned function with the resamples from … to−1 of each of its chunks. If a goroutine panics, inChunks panics
// with the same value, which its caller can recover.
func inChunks(m int, worker func() func(chunk, from, to int)) {
	var (
		wait   sync.WaitGroup
		next   atomic.Int64
		failed atomic.Pointer[any]
	)
	n := (m + resampleChunk - 1) / resampleChunk
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					failed.Store(&p)
					next.Store(int64(n))
				}
			}()
			do := worker()
			for chunk := int(next.Add(1)) - 1; chunk < n; chunk = int(next.Add(1)) - 1 {
				do(chunk, chunk*resampleChunk, min((chunk+1)*resampleChunk, m))
			}
		})
	}
	wait.Wait()
	if p := failed.Load(); p != nil {
		panic(*p)
	}
}
