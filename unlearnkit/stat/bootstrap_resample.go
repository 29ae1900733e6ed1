package stat

// fill stores random numbers in [start, end) in dst, drawn with replacement. Each half of a random word gives one
// number by Lemire's multiplication ("Fast random integer generation in an interval", 2019). It redraws the word if the
// low half of either product is below 2³² mod size, so that all numbers are equally likely.
func (s *chunkStream) fill(dst []int32, start, end int) {
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

// between returns one random number in [start, end).
func (s *chunkStream) between(start, end int) int {
	var one [1]int32
	s.fill(one[:], start, end)
	return int(one[0])
}

// resample returns the statistic of every resample. For studentised intervals it also returns the pivots (θ* − θ̂)/se*.
func (s bootSettings) resample(design *bootDesign, statistic bootStatistic, estimate float64) (values,
	pivots []float64) {
	values = make([]float64, s.resamples)
	if s.kind == Studentised {
		pivots = make([]float64, s.resamples)
	}
	inChunks(s.resamples, func() func(chunk, from, to int) {
		var stream chunkStream
		own, draw := statistic.fresh(), design.newDraw()
		var jackknife []float64
		if pivots != nil {
			jackknife = make([]float64, design.size())
		}
		return func(chunk, from, to int) {
			stream.reset(s.seed, chunk)
			for b := from; b < to; b++ {
				design.draw(draw, &stream)
				values[b] = own.value(draw)
				if pivots != nil {
					pivots[b] = (values[b] - estimate) / own.spread(draw, jackknife)
				}
			}
		}
	})
	return values, pivots
}
