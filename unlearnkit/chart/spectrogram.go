package chart

import (
	"math"
	"slices"
)

// Spectrogram shows the loudness of a sound by frequency and time. A colour bar explains the colours.
type Spectrogram struct {
	Title    string
	Caption  string
	Samples  []float32 // samples between -1 and 1
	Rate     int       // samples per second
	Window   int       // samples per window; 0 means 32 ms
	Hop      int       // samples from one window to the next; 0 means a quarter of a window
	Mel      bool      // space frequencies on the mel scale, as the ear perceives them
	Waveform bool      // also draw the waveform, above the spectrogram
	// Quietest and Loudest are the levels in dB of the first and the last colour. If both are 0, the colours cover the
	// 60 dB below the loudest level. Panels that are compared need equal levels.
	Quietest, Loudest float64
}

// levelRange is the default range of the colours in dB.
const levelRange = 60

// spectrogramData holds the levels of a spectrogram, rounded to a hundredth of a dB.
type spectrogramData struct {
	Title   string `json:"title"`
	Caption string `json:"caption,omitempty"`
	Rate    int    `json:"rate"`
	Window  int    `json:"window"`
	Hop     int    `json:"hop"`
	Mel     bool   `json:"mel,omitempty"`
	Levels
}

// Figure returns the chart as a figure.
func (g Spectrogram) Figure() (*Figure, error) {
	levels, err := g.Levels()
	if err != nil {
		return nil, err
	}
	data := spectrogramData{g.Title, g.Caption, g.Rate, g.WindowSize(), g.HopSize(), g.Mel, *levels}
	data.Decibels = nil
	for _, row := range levels.Decibels {
		rounded := make([]float64, len(row))
		for i, level := range row {
			rounded[i] = math.Round(level*100) / 100
		}
		data.Decibels = append(data.Decibels, rounded)
	}
	return newFigure("Spectrogram", g.Title, g.Caption, Measured{g, levels}, data), nil
}

func (g Spectrogram) Seconds() float64 { return float64(len(g.Samples)) / float64(g.Rate) }

// Span returns the levels of the first and the last colour.
func (g Spectrogram) Span(levels *Levels) (lo, hi float64) {
	if g.Quietest != 0 || g.Loudest != 0 {
		return widened(g.Quietest, g.Loudest)
	}
	loudest := float64(silence + levelRange)
	for _, row := range levels.Decibels {
		loudest = max(loudest, slices.Max(row))
	}
	return loudest - levelRange, loudest
}

// Measured is a spectrogram together with its levels.
type Measured struct {
	Spectrogram
	Spectrum *Levels
}
