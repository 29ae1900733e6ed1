package causal_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/languagetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/causal"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

const seenImage = "../exposure/testdata/image.png"

// nothing is a threshold so small that every sample with an effect is traced.
const nothing = 1e-300

func opened(t testing.TB, name string) *language.Model {
	t.Helper()
	m, err := language.Open(devicetest.Open(t), languagetest.Folder(t, name), "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tracer(t testing.TB, m *language.Model) *causal.Tracer {
	r := causal.New(m)
	t.Cleanup(r.Close)
	return r
}

// expectedTrace is a trace computed by testdata/gen_causal.py.
type expectedTrace struct {
	Model, Prompt, Subject, Substitute, Answer string
	Image, Whole                               bool
	Window                                     int
	Clean, Corrupted                           float64
	Parts                                      []causal.Part
	Maps                                       [][][]float64
}

// The reference computes the effects with transformers and forward hooks, in double precision.
func TestTrace_EqualsTransformers(t *testing.T) {
	content, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var expected struct{ Cases []expectedTrace }
	if err := json.Unmarshal(content, &expected); err != nil || len(expected.Cases) < 5 {
		t.Fatal(err)
	}
	models := map[string]*language.Model{"llava": opened(t, "llava"), "llama": opened(t, "llama")}
	for _, want := range expected.Cases {
		sample := causal.Sample{Prompt: want.Prompt, Subject: want.Subject, Substitute: want.Substitute,
			Answer: want.Answer}
		if want.Image {
			if sample.Image, err = models[want.Model].Pixels(seenImage); err != nil {
				t.Fatal(err)
			}
		}
		got, err := tracer(t, models[want.Model]).Trace(t.Context(), sample,
			causal.Settings{Window: want.Window, Whole: want.Whole, Least: nothing}, nil)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, got, want)
	}
}

// compare allows probabilities to differ by rounding in float32, and effects by the same fraction of the probability.
func compare(t *testing.T, got *causal.Trace, want expectedTrace) {
	t.Helper()
	tolerance := 2e-4 * want.Clean
	if math.Abs(got.Clean-want.Clean) > tolerance || math.Abs(got.Corrupted-want.Corrupted) > tolerance {
		t.Errorf("%q: %g and %g, transformers gives %g and %g", want.Prompt, got.Clean, got.Corrupted, want.Clean,
			want.Corrupted)
	}
	if len(got.Rows) != len(want.Parts) || len(got.Maps) != 3 {
		t.Fatalf("%q: rows %v, want %v", want.Prompt, got.Rows, want.Parts)
	}
	for i, row := range got.Rows {
		if row.Part != want.Parts[i] {
			t.Errorf("%q: row %d is %v, want %s", want.Prompt, i, row, want.Parts[i])
		}
	}
	largest := 0.0
	for site, m := range got.Maps {
		for row, effects := range m.Effects {
			for layer, effect := range effects {
				expected := want.Maps[site][row][layer]
				largest = max(largest, math.Abs(expected))
				if math.Abs(effect-expected) > tolerance {
					t.Errorf("%q, %s, row %d, layer %d: %g, transformers gives %g", want.Prompt, m.Site, row, layer,
						effect, expected)
				}
				if share := m.Shares[row][layer]; math.Abs(share*got.Total-effect) > 1e-12 {
					t.Errorf("%q: a share of %g for %g of %g", want.Prompt, share, effect, got.Total)
				}
			}
		}
	}
	if largest < 20*tolerance {
		t.Errorf("%q: no effect is larger than %g, so that nothing is compared", want.Prompt, largest)
	}
}
