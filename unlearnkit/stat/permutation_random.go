package stat

import (
	"math/bits"
	"math/rand/v2"
	"sync/atomic"
)

// permutationRandom counts m random arrangements, chunk by chunk. Chunk i draws from the stream (seed, i), so that the
// counts do not depend on which goroutine runs a chunk. work returns two functions for a goroutine: draw returns the
// sum of a random arrangement, and restart is called before each chunk.
func permutationRandom(m int, t permutationThreshold, seed uint64,
	work func() (draw func(*rand.PCG) float64, restart func())) permutationCount {
	var atMost, atLeast atomic.Uint64
	inChunks(m, func() func(chunk, from, to int) {
		draw, restart := work()
		return func(chunk, from, to int) {
			stream := rand.NewPCG(seed, uint64(chunk))
			restart()
			var c permutationCount
			for range to - from {
				c.add(draw(stream), t)
			}
			atMost.Add(c.atMost)
			atLeast.Add(c.atLeast)
		}
	})
	return permutationCount{atMost.Load(), atLeast.Load(), uint64(m)}
}

// permutationRandomFlips counts random flips of the signs of d. It takes four differences at a time and looks up their
// sum in a table of 16 sums.
func permutationRandomFlips(d []float64, t permutationThreshold, s settings) permutationCount {
	table := make([]float64, 0, 4*len(d)+64)
	for at := 0; at < len(d); at += 4 {
		var four [4]float64
		copy(four[:], d[at:])
		table = permutationFlips(table, four[:])
	}
	work := func() (func(*rand.PCG) float64, func()) {
		draw := func(stream *rand.PCG) float64 {
			sum := 0.
			for at := 0; at < len(table); at += 16 * 16 {
				signs := stream.Uint64()
				for four := table[at:min(at+16*16, len(table))]; len(four) > 0; four = four[16:] {
					sum += four[signs&15]
					signs >>= 4
				}
			}
			return sum
		}
		return draw, func() {}
	}
	return permutationRandom(s.resamples, t, s.seed, work)
}

// permutationRandomDivisions counts random samples of n1 values from pool. Each sample is the beginning of a
// Fisher–Yates shuffle.
func permutationRandomDivisions(pool []float64, n1 int, t permutationThreshold, s settings) permutationCount {
	work := func() (func(*rand.PCG) float64, func()) {
		values := make([]float64, len(pool))
		draw := func(stream *rand.PCG) float64 {
			sum := 0.
			for i := range n1 {
				// Lemire's multiplication has a bias of n/2⁶⁴, which is less than any rounding error.
				step, _ := bits.Mul64(stream.Uint64(), uint64(len(values)-i))
				j := i + int(step)
				values[i], values[j] = values[j], values[i]
				sum += values[i]
			}
			return sum
		}
		return draw, func() { copy(values, pool) }
	}
	return permutationRandom(s.resamples, t, s.seed, work)
}
