package chart_test

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
)

// said returns a spoken command from a small generated data set. Its voice is from an included recording.
func said(number int) (samples []float32, rate int, text string) {
	set, err := speech.Make(speech.Easy(0))
	if err != nil {
		panic(err)
	}
	utterance := set.Test[number]
	if samples, err = set.Samples(utterance); err != nil {
		panic(err)
	}
	return samples, set.Rate, utterance.Text
}

func ExampleSpectrogram() {
	samples, rate, text := said(3)
	figure, err := chart.Spectrogram{
		Title:    "“" + text + "”",
		Caption:  "A test speaker at 8 kHz; windows of 32 ms, one each 8 ms",
		Samples:  samples,
		Rate:     rate,
		Waveform: true,
	}.Figure()
	golden.Compare("spectrogram", figure, err)
	// Output:
	// spectrogram-light.png: as drawn before
	// spectrogram-dark.png: as drawn before
}

// Panels that are compared use the same levels for the same colours.
func ExampleSpectrogram_panels() {
	var clips []*chart.Figure
	for number := range 4 {
		samples, rate, text := said(number)
		clip, err := chart.Spectrogram{Title: text, Samples: samples, Rate: rate, Mel: true, Quietest: -80,
			Loudest: -10}.Figure()
		if err != nil {
			fmt.Println(err)
			return
		}
		clips = append(clips, clip)
	}
	figure, err := chart.Panels{Title: "Four commands", Columns: 2, Figures: clips}.Figure()
	golden.Compare("spectrogram-panels", figure, err)
	// Output:
	// spectrogram-panels-light.png: as drawn before
	// spectrogram-panels-dark.png: as drawn before
}

func ExampleSpectrogram_Levels() {
	tone := make([]float32, 4000)
	for i := range tone {
		tone[i] = float32(.5 * math.Sin(2*math.Pi*1000*float64(i)/8000))
	}
	levels, err := chart.Spectrogram{Samples: tone, Rate: 8000}.Levels()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d windows; at %.2f s %.0f Hz has %.1f dB\n", len(levels.Seconds), levels.Seconds[30],
		levels.Hertz[32], levels.Decibels[30][32])
	// Output: 64 windows; at 0.24 s 1000 Hz has -9.0 dB
}
