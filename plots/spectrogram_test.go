package plots

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

func TestMels_EqualTransformers(t *testing.T) {
	content, err := os.ReadFile("../unlearnkit/chart/testdata/spectrum.json")
	if err != nil {
		t.Fatal(err)
	}
	var fromTransformers struct {
		Mels []struct{ Hertz, Mel float64 }
	}
	if err := json.Unmarshal(content, &fromTransformers); err != nil {
		t.Fatal(err)
	}
	for _, want := range fromTransformers.Mels {
		// Kaldi uses 1127, which is 2595 / ln 10 to four digits.
		if got := mel(want.Hertz); math.Abs(got-want.Mel) > 2e-5*want.Mel {
			t.Errorf("%g Hz: %g, want %g", want.Hertz, got, want.Mel)
		}
		if got := hertzOf(mel(want.Hertz)); math.Abs(got-want.Hertz) > 1e-9*want.Hertz {
			t.Errorf("%g Hz there and back: %g", want.Hertz, got)
		}
	}
}

func TestSpectrogram_Frequencies(t *testing.T) {
	g := chart.Spectrogram{Rate: 8000, Samples: make([]float32, 4000)}
	for i := range g.Samples {
		g.Samples[i] = float32(math.Sin(2 * math.Pi * 1000 * float64(i) / 8000))
	}
	levels, err := g.Levels()
	if err != nil {
		t.Fatal(err)
	}
	lo, hi := g.Span(levels)
	for _, test := range []struct {
		mel  bool
		want float64 // expected position, relative to the height
	}{{false, 1000. / 4000}, {true, mel(1000) / mel(4000)}} {
		g.Mel = test.mel
		picture := spectrogram{chart.Measured{Spectrogram: g, Spectrum: levels}}.picture(levels,
			scaleBar{lo: lo, hi: hi, colors: theme.Light.Sequential})
		size := picture.Bounds().Size()
		darkest, at := uint32(math.MaxUint32), 0
		for y := range size.Y {
			if r, green, b, _ := picture.At(size.X/2, y).RGBA(); r+green+b < darkest {
				darkest, at = r+green+b, y
			}
		}
		if got := 1 - (float64(at)+.5)/float64(size.Y); math.Abs(got-test.want) > .01 {
			t.Errorf("mel %v: the tone stands at %.3f of the height, want %.3f", test.mel, got, test.want)
		}
	}
}

func TestSpectrogram_OddSounds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	for name, g := range map[string]chart.Spectrogram{
		"one sample":      {Samples: []float32{1}, Rate: 8000},
		"silence":         {Samples: make([]float32, 2000), Rate: 8000},
		"a level":         {Samples: []float32{.5, .5, .5}, Rate: 384000},
		"one level given": {Samples: []float32{.5, 0, .5}, Rate: 1000, Quietest: -30, Loudest: -30},
		"an odd window":   {Samples: make([]float32, 100), Rate: 8000, Window: 31, Hop: 31},
		"half a minute":   {Samples: make([]float32, 30*16000), Rate: 16000, Hop: 512},
	} {
		for _, g.Mel = range []bool{false, true} {
			g.Waveform = !g.Mel
			figure, err := Draw(g.Figure())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			first, _, _, err := figure.PNG(1)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if again, _, _, _ := figure.PNG(1); !bytes.Equal(first, again) {
				t.Errorf("%s: drawn again it differs", name)
			}
			if err := figure.WriteSVG(io.Discard, 6, 4); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := figure.WritePDF(io.Discard, 6, 4); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := json.Marshal(figure.Data()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
