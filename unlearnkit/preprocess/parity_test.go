package preprocess

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

type expectedPixels struct {
	From   [2]int
	Filter string
	Rule   string
	Width  int
	Height int
	SHA256 string
	Pixels []byte
}

type expectedValues struct {
	From          json.RawMessage
	Name          string
	To            int
	Count, Length int
	Masked        bool
	Shape         []int
	Stride        int
	Values        []byte
}

type fixture struct {
	Resize, Crop                     []expectedPixels
	Transform, Resample, Standardize []expectedValues
	Background                       [3]int
	FasterProcessor                  float64 `json:"faster_processor_differs_by_at_most"`
}

func readFixture(t *testing.T) fixture {
	t.Helper()
	data, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var f fixture
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// noise returns 16-bit numbers from the same generator as testdata/gen_preprocess.py.
func noise(seed uint32, count int) []uint32 {
	values := make([]uint32, count)
	for i := range values {
		seed = seed*1664525 + 1013904223
		values[i] = seed >> 16
	}
	return values
}

func picture(width, height int) Image {
	m := NewImage(width, height)
	for i, v := range noise(uint32(1000*width+height), len(m.Pixels)) {
		m.Pixels[i] = byte(v >> 8)
	}
	for y := range height {
		for x := range width {
			if block := (x/5 + 2*(y/4)) % 4; block < 2 {
				for c := range 3 {
					m.Pixels[3*(y*width+x)+c] = byte(255 * block)
				}
			}
		}
	}
	return m
}

func sound(seed uint32, count int) []float32 {
	samples := make([]float32, count)
	for i, v := range noise(seed, count) {
		samples[i] = float32(float64(v)/32768 - 1)
	}
	return samples
}

func checkPixels(t *testing.T, name string, got Image, want expectedPixels) {
	t.Helper()
	sum := sha256.Sum256(got.Pixels)
	if got.Width != want.Width || got.Height != want.Height || hex.EncodeToString(sum[:]) != want.SHA256 {
		t.Errorf("%s: %d×%d pixels differ from the original's %d×%d", name, got.Width, got.Height, want.Width,
			want.Height)
		if want.Pixels != nil && !bytes.Equal(got.Pixels, want.Pixels) {
			t.Errorf("got  %v\nwant %v", got.Pixels, want.Pixels)
		}
	}
}

// checkValues compares every stride-th value.
func checkValues(t *testing.T, name string, got []float32, want expectedValues, tolerance float64) {
	t.Helper()
	count := 1
	for _, n := range want.Shape {
		count *= n
	}
	if len(got) != count {
		t.Errorf("%s: %d values, want %d", name, len(got), count)
		return
	}
	worst := 0.0
	for i := 0; i < len(want.Values)/4; i++ {
		value := math.Float32frombits(binary.LittleEndian.Uint32(want.Values[4*i:]))
		worst = max(worst, math.Abs(float64(got[i*want.Stride])-float64(value)))
	}
	if !(worst <= tolerance) {
		t.Errorf("%s: a value is off by %g, more than %g", name, worst, tolerance)
	}
}

func TestResize_EqualsPillow(t *testing.T) {
	filters := map[string]Filter{"nearest": Nearest, "box": Box, "bilinear": Bilinear, "hamming": Hamming,
		"bicubic": Bicubic, "lanczos": Lanczos}
	rows := readFixture(t).Resize
	if len(rows) < 400 {
		t.Errorf("only %d images are compared", len(rows))
	}
	for _, row := range rows {
		name := fmt.Sprintf("%v to %d×%d by %s", row.From, row.Width, row.Height, row.Filter)
		resize := Resize
		filter, rowsFirst := strings.CutPrefix(row.Filter, "rows first ")
		if rowsFirst {
			resize = resizeRowsFirst
		}
		checkPixels(t, name, resize(picture(row.From[0], row.From[1]), row.Width, row.Height, filters[filter]), row)
	}
}

func TestCenterCrop_EqualsOriginals(t *testing.T) {
	rules := map[string]CropRule{"torchvision": Torchvision, "huggingface": HuggingFace}
	for _, row := range readFixture(t).Crop {
		name := fmt.Sprintf("%v to %d×%d as %s", row.From, row.Width, row.Height, row.Rule)
		checkPixels(t, name, centerCrop(picture(row.From[0], row.From[1]), row.Width, row.Height, rules[row.Rule]), row)
	}
}

func TestTransforms_EqualOriginals(t *testing.T) {
	f := readFixture(t)
	transforms := map[string]Transform{
		"open_clip 24": OpenCLIP(24), "open_clip 35": OpenCLIP(35), "open_clip 224": OpenCLIP(224),
		"huggingface 24": CLIPImageProcessor(24), "huggingface 35": CLIPImageProcessor(35),
		"huggingface 336": CLIPImageProcessor(336),
		"llava 24":        PaddedLLaVA(24), "imagenet 32 28": ImageNet(32, 28), "diffusion 40 24": Diffusion(40, 24),
	}
	for _, row := range f.Transform {
		transform, ok := transforms[row.Name]
		var from [2]int
		if err := json.Unmarshal(row.From, &from); err != nil || !ok {
			t.Fatalf("%s: %v", row.Name, err)
		}
		values, width, height := transform.Apply(picture(from[0], from[1]))
		if width != row.Shape[2] || height != row.Shape[1] {
			t.Errorf("%s of %v: %d×%d pixels, want %v", row.Name, from, width, height, row.Shape)
		}
		checkValues(t, fmt.Sprintf("%s of %v", row.Name, from), values, row, 1e-6)
	}
	for i, value := range PaddedLLaVA(24).Background {
		if int(value) != f.Background[i] {
			t.Errorf("the background is %v, want %v", PaddedLLaVA(24).Background, f.Background)
		}
	}
}

// The faster processor of transformers differs by at most two levels.
func TestTransforms_FasterProcessor(t *testing.T) {
	if off := readFixture(t).FasterProcessor; off > 2.1 {
		t.Errorf("it differs by %.2f of 255, and CLIPImageProcessor's comment says two", off)
	}
}

func TestResample_EqualsTorchaudio(t *testing.T) {
	for _, row := range readFixture(t).Resample {
		var from int
		if err := json.Unmarshal(row.From, &from); err != nil {
			t.Fatal(err)
		}
		got, err := Resample(sound(uint32(row.Count), row.Count), from, row.To)
		if err != nil {
			t.Fatal(err)
		}
		checkValues(t, fmt.Sprintf("%d samples from %d to %d", row.Count, from, row.To), got, row, 1e-6)
	}
}

func TestSpeech_EqualsExtractor(t *testing.T) {
	for _, row := range readFixture(t).Standardize {
		samples := sound(uint32(row.Count+7), row.Count)
		for i := range samples {
			samples[i] = samples[i]*0.25 + 0.125
		}
		got := Speech{Length: row.Length, Masked: row.Masked}.Apply(samples)
		checkValues(t, fmt.Sprintf("%d samples, length %d, masked %v", row.Count, row.Length, row.Masked), got, row,
			2e-6)
	}
}
