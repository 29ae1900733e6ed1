package stat

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// bootChunk is the number of resamples that share one random stream. It is part of what a seed means.
const bootChunk = 64

// A bootStream draws units uniformly.
type bootStream struct{ pcg rand.PCG }

// reset starts the stream of one chunk. The chunk number goes through the finaliser of SplitMix64, because two PCG states that differ in
// a few bits begin with related numbers.
func (s *bootStream) reset(seed uint64, chunk int) {
	z := (uint64(chunk) + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	s.pcg.Seed(seed, z^z>>31)
}

// fill stores numbers in [start, end), drawn with replacement, in dst. Each half of a random word gives one by Lemire's multiplication
// ("Fast random integer generation in an interval", 2019); a word with a half in the part that would favour small numbers is drawn anew.
func (s *bootStream) fill(dst []int32, start, end int) {
	size, first := uint64(end-start), int32(start)
	biased := -uint32(size) % uint32(size)
	for i := 0; i < len(dst); {
		word := s.pcg.Uint64()
		a, b := uint64(uint32(word))*size, (word>>32)*size
		if uint32(a) < biased || uint32(b) < biased {
			continue
		}
		dst[i] = first + int32(a>>32)
		if i+1 < len(dst) {
			dst[i+1] = first + int32(b>>32)
		}
		i += 2
	}
}

// between draws one number in [start, end).
func (s *bootStream) between(start, end int) int {
	var one [1]int32
	s.fill(one[:], start, end)
	return int(one[0])
}

// resample returns the statistic of every resample and, for studentised intervals, its pivot (θ* − θ̂)/se*.
func (s bootSettings) resample(design *bootDesign, statistic bootStatistic, estimate float64) (values, pivots []float64) {
	values = make([]float64, s.resamples)
	if s.kind == Studentised {
		pivots = make([]float64, s.resamples)
	}
	bootParallel((s.resamples+bootChunk-1)/bootChunk, func() func(chunk int) {
		var stream bootStream
		own, draw := statistic.fresh(), design.newDraw()
		var jackknife []float64
		if pivots != nil {
			jackknife = make([]float64, design.size())
		}
		return func(chunk int) {
			stream.reset(s.seed, chunk)
			for b := chunk * bootChunk; b < min((chunk+1)*bootChunk, s.resamples); b++ {
				design.draw(draw, &stream)
				values[b] = own.value(draw)
				if pivots != nil {
					pivots[b] = (values[b] - estimate) / own.error(draw, jackknife)
				}
			}
		}
	})
	return values, pivots
}

// bootParallel does chunks 0 to n−1 on all processors. Each goroutine calls worker once and what it returns for every chunk it takes. A panic
// in a goroutine becomes a panic of the caller, who can recover it.
func bootParallel(n int, worker func() func(chunk int)) {
	var (
		wait   sync.WaitGroup
		next   atomic.Int64
		failed atomic.Pointer[any]
	)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					failed.Store(&p)
					next.Store(int64(n))
				}
			}()
			do := worker()
			for chunk := next.Add(1) - 1; chunk < int64(n); chunk = next.Add(1) - 1 {
				do(int(chunk))
			}
		})
	}
	wait.Wait()
	if p := failed.Load(); p != nil {
		panic(*p)
	}
}
