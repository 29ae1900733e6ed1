package preprocess

import (
	"fmt"
	"math"
)

const (
	zeroCrossings = 6    // zero crossings of the sinc on each side
	rolloff       = 0.99 // cutoff as a fraction of the lower Nyquist frequency
	largestRate   = 1 << 20
)

// Resample converts samples from one rate to another by a sinc under a Hann window, with the defaults of
// torchaudio.functional.resample. The sound is silent before the first sample and after the last. The sums are in
// float64, as torchaudio's for float64 input; for float32 torchaudio also rounds its filter, which changes results by
// up to 4e-5.
func Resample(samples []float32, from, to int) ([]float32, error) {
	if from < 1 || to < 1 || from > largestRate || to > largestRate {
		return nil, fmt.Errorf("cannot resample from %d to %d samples a second; both must be between 1 and %d", from,
			to, largestRate)
	}
	if from == to {
		return append([]float32(nil), samples...), nil
	}
	divisor := greatestCommonDivisor(from, to)
	from, to = from/divisor, to/divisor
	phases := make([]phase, min(to, len(samples)*to/from+1))
	for i := range phases {
		phases[i] = newPhase(i, from, to)
	}
	resampled := make([]float32, (len(samples)*to+from-1)/from)
	for i := range resampled {
		p := phases[i%to]
		first := i/to*from + p.first
		sum := 0.0
		for j := max(0, -first); j < len(p.weights) && first+j < len(samples); j++ {
			sum += p.weights[j] * float64(samples[first+j])
		}
		resampled[i] = float32(sum)
	}
	return resampled, nil
}

// A phase holds the weights of the output samples at the same position between input samples.
type phase struct {
	first   int // input sample of the first weight, relative to the beginning of the period
	weights []float64
}

func newPhase(number, from, to int) phase {
	edge := float64(min(from, to)) * rolloff
	position := float64(number) / float64(to)
	reach := zeroCrossings / edge
	first := int(math.Ceil((position - reach) * float64(from)))
	last := int(math.Floor((position + reach) * float64(from)))
	p := phase{first, make([]float64, last-first+1)}
	for i := range p.weights {
		t := (float64(first+i)/float64(from) - position) * edge
		window := math.Cos(t * math.Pi / zeroCrossings / 2)
		p.weights[i] = sinc(t) * window * window * edge / float64(from)
	}
	return p
}

func greatestCommonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
