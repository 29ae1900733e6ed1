package speech

import (
	"math"
	"sync"
)

const (
	taps      = 24 // number of old samples that contribute to a new sample
	tapScale  = 1 << 14
	positions = 256 // number of positions between two old samples
)

// A kernel holds the weights of old samples in a new sample, for each position of the new sample between two old
// samples. The weights are a sinc function with a Hann window, which removes frequencies that are too high for the new
// rate. They are integers, whose sums are exact, so that differences between processors in the last bit of the sine
// have no effect.
type kernel [positions][taps]int32

// kernels holds a kernel for each speed, computed when first used.
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

// weight returns the weight of tap i of the kernel for a speed. The new sample is p/256 of a step after the earlier of
// the two middle taps.
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

// resample plays samples at a speed in units of 1/256, until the samples or the target ends.
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
