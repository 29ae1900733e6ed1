package preprocess

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"
)

// A transparent pixel keeps its colour.
func TestFromImage_Transparency(t *testing.T) {
	source := image.NewNRGBA(image.Rect(3, 4, 5, 5))
	source.SetNRGBA(3, 4, color.NRGBA{200, 100, 50, 128})
	source.SetNRGBA(4, 4, color.NRGBA{1, 2, 3, 0})
	got, err := FromImage(source)
	if err != nil || got.Width != 2 || got.Height != 1 || string(got.Pixels) != string([]byte{200, 100, 50, 1, 2, 3}) {
		t.Errorf("FromImage = %+v, %v", got, err)
	}
	if _, err := FromImage(image.NewGray(image.Rect(0, 0, 0, 7))); err == nil {
		t.Error("an image without pixels is converted")
	}
}

func TestPadToSquare(t *testing.T) {
	got := Image{2, 1, []byte{1, 2, 3, 4, 5, 6}}.PadToSquare([3]byte{7, 8, 9})
	if want := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 7, 8, 9}; got.Width != 2 || got.Height != 2 ||
		string(got.Pixels) != string(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBatch_DifferentSizes(t *testing.T) {
	same := Transform{Size: Size{Shorter: 4, Filter: Bilinear}, Deviation: [3]float32{1, 1, 1}}
	_, _, err := same.Batch([]Image{picture(8, 8), picture(8, 16)})
	if err == nil || !strings.Contains(err.Error(), "image 1 is 4×8 pixels") {
		t.Errorf("error %v", err)
	}
	values, shape, err := OpenCLIP(6).Batch([]Image{picture(8, 9), picture(20, 7)})
	if err != nil || shape != [4]int{2, 3, 6, 6} || len(values) != 2*3*6*6 {
		t.Errorf("%d values of shape %v, %v", len(values), shape, err)
	}
}

func TestImage_Panics(t *testing.T) {
	for name, mistake := range map[string]func(){
		"too few pixels":     func() { Resize(Image{2, 2, make([]byte, 11)}, 1, 1, Bicubic) },
		"negative size":      func() { Resize(Image{-1, -1, make([]byte, 3)}, 1, 1, Bicubic) },
		"target of no size":  func() { Resize(picture(2, 2), 0, 3, Bicubic) },
		"filter of no name":  func() { Resize(picture(2, 2), 1, 3, 99) },
		"no deviation":       func() { Transform{}.Apply(picture(2, 2)) },
		"more than there is": func() { Standardize(make([]float32, 3), 4) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			mistake()
		})
	}
}

func TestMono(t *testing.T) {
	got, err := Mono([][]float32{{1, 2, -3}, {3, -2, 0}})
	if err != nil || got[0] != 2 || got[1] != 0 || got[2] != -1.5 {
		t.Errorf("Mono = %v, %v", got, err)
	}
	for _, bad := range [][][]float32{nil, {{1}, {1, 2}}} {
		if _, err := Mono(bad); err == nil {
			t.Errorf("Mono(%v) is no error", bad)
		}
	}
}

func TestResample_Refused(t *testing.T) {
	for _, rates := range [][2]int{{0, 16000}, {16000, 0}, {-8000, 16000}, {16000, 1 << 30}} {
		if _, err := Resample([]float32{1}, rates[0], rates[1]); err == nil {
			t.Errorf("from %d to %d is no error", rates[0], rates[1])
		}
	}
	if got, err := Resample(nil, 8000, 16000); err != nil || len(got) != 0 {
		t.Errorf("no samples become %v, %v", got, err)
	}
}

// Resampling does not change a tone below both Nyquist frequencies, except near the ends.
func TestResample_Tone(t *testing.T) {
	tone := func(rate, count int) []float32 {
		samples := make([]float32, count)
		for i := range samples {
			samples[i] = float32(math.Sin(2 * math.Pi * 440 * float64(i) / float64(rate)))
		}
		return samples
	}
	got, err := Resample(tone(44100, 44100), 44100, SpeechRate)
	if err != nil || len(got) != SpeechRate {
		t.Fatalf("%d samples, %v", len(got), err)
	}
	want := tone(SpeechRate, SpeechRate)
	for i := 100; i < len(got)-100; i++ {
		if math.Abs(float64(got[i]-want[i])) > 2e-3 {
			t.Fatalf("sample %d is %g, want %g", i, got[i], want[i])
		}
	}
}

func TestSpeech_MaskedPadding(t *testing.T) {
	masked := Speech{Length: 10, Masked: true}.Apply([]float32{1, 2, 3})
	whole := Speech{Length: 10}.Apply([]float32{1, 2, 3})
	if masked[9] != 0 || whole[9] >= 0 {
		t.Errorf("the padding becomes %g masked and %g unmasked", masked[9], whole[9])
	}
}

func BenchmarkResize(b *testing.B) {
	m := picture(640, 480)
	for b.Loop() {
		Resize(m, 299, 224, Bicubic)
	}
}
