package preprocess_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
)

// testdata/gen_cepstra.py makes the sounds, and computes their cepstra with torchaudio.
func TestCepstrum_EqualsTorchaudio(t *testing.T) {
	content, err := os.ReadFile("testdata/cepstra.json")
	if err != nil {
		t.Fatal(err)
	}
	var fixture struct {
		Sounds map[string]struct {
			Rate    int
			Samples []float32
			Rows    [][]float64
		}
	}
	if err := json.Unmarshal(content, &fixture); err != nil || len(fixture.Sounds) == 0 {
		t.Fatalf("%d sounds: %v", len(fixture.Sounds), err)
	}
	for name, sound := range fixture.Sounds {
		rows, err := preprocess.MFCC(sound.Samples, sound.Rate)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != len(sound.Rows) {
			t.Fatalf("%s: %d rows, torchaudio's are %d", name, len(rows), len(sound.Rows))
		}
		worst := 0.
		for i, row := range sound.Rows {
			for column, want := range row {
				worst = max(worst, math.Abs(float64(rows[i][column])-want))
			}
		}
		t.Logf("%s: largest difference %.2g", name, worst)
		if !(worst < 2e-4) { // the coefficients are up to 80, and torchaudio's table of the mel scale is in float32
			t.Errorf("%s: the largest difference is %g", name, worst)
		}
	}
}

func TestCepstrum_Refused(t *testing.T) {
	for _, test := range []struct {
		samples, rate int
		says          string
	}{
		{199, 8000, "199 samples are fewer than one window of 25 ms, 200"},
		{0, 16000, "0 samples"},
		{4000, 0, "a rate of 0 samples a second"},
		{4000, -8000, "a rate of -8000 samples a second"},
	} {
		_, err := preprocess.MFCC(make([]float32, test.samples), test.rate)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%d samples at %d: %v", test.samples, test.rate, err)
		}
	}
}

// A second of sound has a row every 10 ms, the last where a whole window of 25 ms is left.
func ExampleMFCC() {
	rows, err := preprocess.MFCC(make([]float32, 8000), 8000)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(rows), "rows of", len(rows[0]), "numbers,", preprocess.MFCCHop(8000), "samples apart")
	// Output: 98 rows of 39 numbers, 80 samples apart
}
