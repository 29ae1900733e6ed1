package chart

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
)

// fromSciPy is the content of testdata/spectrum.json, written by testdata/gen_spectrum.py.
type fromSciPy struct {
	Rate    int
	Samples []int
	Cases   []struct {
		Window, Hop int
		Levels
	}
}

func readSpectrum(t *testing.T) (read fromSciPy) {
	t.Helper()
	content, err := os.ReadFile("testdata/spectrum.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func furthest(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	most := 0.
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

func TestLevels_EqualSciPy(t *testing.T) {
	want := readSpectrum(t)
	sound := Spectrogram{Rate: want.Rate}
	for _, sample := range want.Samples {
		sound.Samples = append(sound.Samples, float32(sample)/(1<<15))
	}
	if len(want.Cases) < 5 {
		t.Fatalf("%d cases", len(want.Cases))
	}
	for _, test := range want.Cases {
		sound.Window, sound.Hop = test.Window, test.Hop
		got, err := sound.Levels()
		if err != nil {
			t.Fatal(err)
		}
		if off := furthest(test.Seconds, got.Seconds); off > 1e-12 {
			t.Errorf("window %d, hop %d: times differ by %g", test.Window, test.Hop, off)
		}
		if off := furthest(test.Hertz, got.Hertz); off > 1e-9 {
			t.Errorf("window %d, hop %d: frequencies differ by %g", test.Window, test.Hop, off)
		}
		if len(got.Decibels) != len(test.Decibels) {
			t.Fatalf("window %d, hop %d: %d moments, want %d", test.Window, test.Hop, len(got.Decibels),
				len(test.Decibels))
		}
		for k := range test.Decibels {
			if off := furthest(test.Decibels[k], got.Decibels[k]); off > 2e-5 {
				t.Errorf("window %d, hop %d: levels of moment %d differ by %g dB", test.Window, test.Hop, k, off)
			}
		}
	}
}

func TestLevels_SineAndSilence(t *testing.T) {
	g := Spectrogram{Rate: 8000, Window: 256, Samples: make([]float32, 8000)}
	for i := range 4000 {
		g.Samples[i] = float32(math.Sin(2 * math.Pi * 1000 * float64(i) / 8000))
	}
	levels, err := g.Levels()
	if err != nil {
		t.Fatal(err)
	}
	loud, quiet := levels.Decibels[30], levels.Decibels[90]
	peak := slices.Index(loud, slices.Max(loud))
	if levels.Hertz[peak] != 1000 || math.Abs(loud[peak]-10*math.Log10(.5)) > 1e-4 {
		t.Errorf("%.4f dB at %g Hz", loud[peak], levels.Hertz[peak])
	}
	if slices.Max(quiet) != silence {
		t.Errorf("silence has %g dB", slices.Max(quiet))
	}
}
