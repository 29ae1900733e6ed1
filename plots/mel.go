package plots

import (
	"math"

	"gonum.org/v1/plot"
)

// mel returns a frequency on the scale on which equal steps sound equal: 2595 log10 (1 + f/700), from O'Shaughnessy,
// Speech Communication (1987).
func mel(hertz float64) float64 { return 1127 * math.Log1p(hertz/700) }

// hertzOf is the inverse of mel.
func hertzOf(mel float64) float64 { return 700 * math.Expm1(mel/1127) }

// melTicks places round frequencies on an axis of mels, with room for the given number.
type melTicks float64

// Ticks implements gonum/plot's Ticker.
func (room melTicks) Ticks(lo, hi float64) []plot.Tick {
	var marks []plot.Tick
	last := math.Inf(-1)
	for _, hertz := range []float64{0, 100, 200, 500, 1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000} {
		at := mel(hertz)
		if at < lo || at > hi*(1+1e-9) || at-last < (hi-lo)/float64(room) {
			continue
		}
		marks, last = append(marks, plot.Tick{Value: at, Label: tickLabel(hertz, 0)}), at
	}
	return marks
}
