package speech

import (
	"math"
	"sync"
)

const (
	taps      = 24 // old samples per new one
	tapScale  = 1 << 14
	positions = 256 // positions between two samples
)

// A kernel holds the weights of a new sample by its position between two old ones: a sinc under a Hann window, which
// removes frequencies above the highest representable one. Weights are integers with exact sums, so the last bit of the
// sine, which differs between processors, does not matter.
type kernel [positions][taps]int32

// kernels are computed when a speed is first used.
var kernels [fastest - slowest + 1]struct {
	once   sync.Once
	kernel kernel
}

func kernelOf(speed int) *kernel {
	k := &kernels[speed-slowest]
	k.once.Do(func() {
		for p := range k.kernel {
			for i := range k.kernel[p] {
				k.kernel[p][i] = int32(math.Round(weight(speed, p, i)))
			}
		}
	})
	return &k.kernel
}

// weight returns the weight of tap i of the resampling kernel at a speed. The new sample is p/256 of a step after the
// earlier of the two middle taps.
func weight(speed, p, i int) float64 {
	edge := .95
	if speed > positions {
		edge *= positions / float64(speed)
	}
	distance := float64(i-taps/2+1) - float64(p)/positions
	if distance == 0 {
		return edge * tapScale
	}
	window := math.Cos(math.Pi * distance / taps)
	return tapScale * math.Sin(math.Pi*edge*distance) / (math.Pi * distance) * window * window
}

// resample plays samples at a speed in 256ths of the recorded one, until they or the target end.
func resample(target []float64, samples []int8, speed int) {
	k := kernelOf(speed)
	for i := range target {
		at := i * speed
		first := at/positions - taps/2 + 1
		if at/positions >= len(samples) {
			return
		}
		weights := &k[at%positions]
		sum := int32(0)
		if first >= 0 && first+taps <= len(samples) {
			for j, x := range samples[first : first+taps] {
				sum += weights[j] * int32(x)
			}
		} else {
			for j, w := range weights {
				if place := first + j; place >= 0 && place < len(samples) {
					sum += w * int32(samples[place])
				}
			}
		}
		target[i] = float64(sum) / (tapScale * 128)
	}
}
