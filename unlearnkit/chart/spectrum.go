package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess/sound"
)

// Levels holds the level of each frequency at each moment.
type Levels struct {
	Seconds  []float64   `json:"seconds"`  // times of the middles of the windows
	Hertz    []float64   `json:"hertz"`    // frequencies from 0 to half the sampling rate
	Decibels [][]float64 `json:"decibels"` // level by moment and frequency; a sine of amplitude 1 has -3 dB
}

// silence is the lowest level in dB, which samples of 0 get. It is far below the noise of 16-bit sound.
const silence = -120

// mostLevels is the maximum number of levels in a spectrogram. They take 32 MiB, which is enough for two minutes of
// sound at 16 kHz with the default windows.
const mostLevels = 1 << 22

// Levels returns the levels of the sound's short-time Fourier transform. The middle of window k is at sample k·Hop. The
// sound is extended by zeros at both ends. Windows are weighted by Hann's function w:
//
//	10 log10 (c |Σ x(j) w(j) exp(-2πi·jf/Window)|² / (Σ w(j))²), with c = 2 if the frequency also represents -f
//
// This equals scipy.signal.stft with boundary="zeros" and scaling="spectrum". No level is below -120 dB.
func (g Spectrogram) Levels() (*Levels, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	window, hop := g.WindowSize(), g.HopSize()
	transform := fourier.NewFFT(window)
	weights, sum := hann(window)
	var levels Levels
	for f := range window/2 + 1 {
		levels.Hertz = append(levels.Hertz, float64(f)*float64(g.Rate)/float64(window))
	}
	frame := make([]float64, window)
	var spectrum []complex128
	for k := range g.frames() {
		first := k*hop - window/2
		for i := range frame {
			frame[i] = 0
			if at := first + i; at >= 0 && at < len(g.Samples) {
				frame[i] = float64(g.Samples[at]) * weights[i]
			}
		}
		spectrum = transform.Coefficients(spectrum, frame)
		row := make([]float64, len(spectrum))
		for f, c := range spectrum {
			power := (real(c)*real(c) + imag(c)*imag(c)) / (sum * sum)
			if f > 0 && 2*f < window {
				power *= 2
			}
			row[f] = max(silence, 10*math.Log10(power))
		}
		levels.Decibels = append(levels.Decibels, row)
		levels.Seconds = append(levels.Seconds, float64(k*hop)/float64(g.Rate))
	}
	return &levels, nil
}

// hann returns the weights of the periodic Hann window and their sum.
func hann(size int) (weights []float64, sum float64) {
	weights = make([]float64, size)
	for i := range weights {
		weights[i] = .5 - .5*math.Cos(2*math.Pi*float64(i)/float64(size))
		sum += weights[i]
	}
	return weights, sum
}

// WindowSize returns the number of samples per window. The default is 32 ms, rounded to an even number.
func (g Spectrogram) WindowSize() int {
	if g.Window > 0 {
		return g.Window
	}
	return g.Rate * 16 / 1000 * 2
}

func (g Spectrogram) HopSize() int {
	if g.Hop > 0 {
		return g.Hop
	}
	return g.WindowSize() / 4
}

// frames returns the number of windows. The middle of the last one is the first at or after the end of the sound.
func (g Spectrogram) frames() int {
	reach := len(g.Samples) + g.WindowSize()/2*2 - g.WindowSize()
	return (reach+g.HopSize()-1)/g.HopSize() + 1
}

func (g Spectrogram) check() error {
	if err := filled("spectrogram", len(g.Samples)); err != nil {
		return err
	}
	if g.Rate < sound.LowestRate || g.Rate > sound.HighestRate {
		return fmt.Errorf("spectrogram: %d samples a second; recordings have %d to %d", g.Rate, sound.LowestRate,
			sound.HighestRate)
	}
	const narrowest, widest = 8, 1 << 16
	if w := g.WindowSize(); g.Window < 0 || w < narrowest || w > widest {
		return fmt.Errorf("spectrogram: windows of %d samples; use %d to %d, or 0 for 32 ms", g.Window, narrowest,
			widest)
	}
	if g.Hop < 0 || g.Hop > g.WindowSize() {
		return fmt.Errorf("spectrogram: a window of %d samples every %d; use 1 to %[1]d, or 0 for a quarter of it",
			g.WindowSize(), g.Hop)
	}
	for i, sample := range g.Samples {
		if x := float64(sample); math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("spectrogram: sample %d is %v; leave out values that are not numbers", i+1, sample)
		}
	}
	if n := g.frames() * (g.WindowSize()/2 + 1); n > mostLevels {
		return fmt.Errorf("spectrogram: %.1f s make %d levels, at most %d are drawn; show a part, or raise Hop",
			g.Seconds(), n, mostLevels)
	}
	return firstError(finite("spectrogram: levels", g.Quietest, g.Loudest),
		ordered("spectrogram: levels", g.Quietest, g.Loudest))
}
