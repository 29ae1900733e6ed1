package causal_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/causal"
)

func sample() causal.Sample {
	return causal.Sample{Prompt: "the job of ann is", Subject: "ann", Substitute: "bob", Answer: "the"}
}

// A substitute with as many tokens as the subject is found.
func TestTrace_Substitute(t *testing.T) {
	s := sample()
	s.Substitute = ""
	s.Subject = "ann baker"
	s.Prompt = "the job of ann baker is"
	trace, err := tracer(t, opened(t, "llama")).Trace(t.Context(), s, causal.Settings{Least: nothing}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if trace.Substitute == "" || trace.Substitute == s.Subject {
		t.Errorf("the substitute is %q", trace.Substitute)
	}
}

// With a window of two layers, both layers are restored together at the second layer, and the first alone at the first.
func TestTrace_Window(t *testing.T) {
	m := handMade(t)
	trace, err := tracer(t, m).Trace(t.Context(), sample(), causal.Settings{Window: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := len(trace.Rows) - 1
	perceptron := trace.Maps[0].Shares[last]
	if math.Abs(perceptron[0]) > 1e-3 || math.Abs(perceptron[1]-1) > 1e-3 {
		t.Errorf("%v: the window at the second layer reaches it, that at the first does not", perceptron)
	}
	attention := trace.Maps[1].Shares[last]
	if math.Abs(attention[0]-1) > 1e-3 || math.Abs(attention[1]-1) > 1e-3 {
		t.Errorf("%v: both windows reach the first layer", attention)
	}
}

func TestTrace_LittleEffect(t *testing.T) {
	called := false
	trace, err := tracer(t, opened(t, "llama")).Trace(t.Context(), sample(), causal.Settings{},
		func(int, int) { called = true })
	if err != nil {
		t.Fatal(err)
	}
	if len(trace.Maps) != 0 || called || !strings.HasSuffix(trace.Skipped, "or another question.") ||
		trace.Table().Note != trace.Skipped || len(trace.Table().Rows) != 0 {
		t.Errorf("%+v", trace)
	}
	if text, err := json.Marshal(trace); err != nil || !strings.Contains(string(text), `"maps":[]`) {
		t.Errorf("got %s, %v, want %q in it", text, err, `"maps":[]`)
	}
}

func TestTrace_QuestionWithImage(t *testing.T) {
	m := opened(t, "llava")
	pixels, err := m.Pixels(seenImage)
	if err != nil {
		t.Fatal(err)
	}
	s := causal.Sample{Prompt: "job of ann?", Subject: "ann", Substitute: "bob", Answer: "the", Image: pixels}
	var calls [][2]int
	trace := func(s causal.Sample) *causal.Trace {
		t.Helper()
		trace, err := tracer(t, m).Trace(t.Context(), s, causal.Settings{Least: nothing},
			func(done, of int) { calls = append(calls, [2]int{done, of}) })
		if err != nil {
			t.Fatal(err)
		}
		return trace
	}
	short := trace(s)
	s.Prompt = "USER: <image>\njob of ann? ASSISTANT:"
	long := trace(s)
	if short.Clean != long.Clean || len(short.Rows) != len(long.Rows) || short.Rows[0].Part != causal.ImagePart {
		t.Errorf("%+v, want %+v", short, long)
	}
	// the image is before the subject, so it is the same in both runs
	for _, m := range long.Maps {
		for layer, effect := range m.Effects[0] {
			if math.Abs(effect) > 1e-6*long.Clean {
				t.Errorf("%s: the image's effect is %g in layer %d", m.Site, effect, layer)
			}
		}
	}
	if len(calls) == 0 || calls[len(calls)-1][0] != calls[len(calls)-1][1] {
		t.Errorf("got %v, want length other than 0, [len(calls)-1][0] %v", calls, calls[len(calls)-1][1])
	}
}

func TestTrace_BadSamples(t *testing.T) {
	llama, llava := opened(t, "llama"), opened(t, "llava")
	change := func(f func(s *causal.Sample)) causal.Sample {
		s := sample()
		f(&s)
		return s
	}
	for _, test := range []struct {
		sample   causal.Sample
		settings causal.Settings
		says     string
	}{
		{change(func(s *causal.Sample) { s.Subject = " " }), causal.Settings{}, "there is no subject"},
		{change(func(s *causal.Sample) { s.Answer = "" }), causal.Settings{}, "there is no answer"},
		{change(func(s *causal.Sample) { s.Subject = "eve" }), causal.Settings{}, "contains the subject \"eve\" 0 times"},
		{change(func(s *causal.Sample) { s.Subject = "o" }), causal.Settings{}, "contains the subject \"o\" 2 times"},
		{change(func(s *causal.Sample) { s.Substitute = "ann" }), causal.Settings{}, "the subject itself"},
		{change(func(s *causal.Sample) { s.Substitute = "robert" }), causal.Settings{},
			`the subject "ann" has 3 tokens and the substitute "robert" 6`},
		{change(func(s *causal.Sample) { s.Substitute = "Ann" }), causal.Settings{},
			"changes no token, or tokens outside the subject; name another"},
		{change(func(s *causal.Sample) { s.Substitute, s.Subject = "", "is"; s.Prompt = "the job is" }),
			causal.Settings{}, "known substitutes has the 1 tokens"},
		{change(func(s *causal.Sample) { s.Prompt = "ann" + strings.Repeat("z", 80) }), causal.Settings{},
			"tokens, the model was made for 64"},
		{change(func(s *causal.Sample) { s.Image = make([]float32, 300) }), causal.Settings{}, "sees no images"},
		{sample(), causal.Settings{Window: 3}, "a window of 3 layers; give one from 1 to the model's 2"},
		{sample(), causal.Settings{Window: -1}, "a window of -1 layers"},
		{sample(), causal.Settings{Least: -1}, "a least total effect of -1"},
	} {
		if _, err := tracer(t, llama).Trace(t.Context(), test.sample, test.settings, nil); err == nil ||
			!strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, test.says)
		}
	}
	for says, s := range map[string]causal.Sample{
		"marks a place for an image": change(func(s *causal.Sample) { s.Prompt = "<image> ann" }),
		"the image has 299 values":   change(func(s *causal.Sample) { s.Image = make([]float32, 299) }),
		"also occurs in the conversation around the prompt": change(func(s *causal.Sample) {
			s.Image, s.Prompt, s.Subject, s.Substitute = make([]float32, 300), "the USER", "USER", "user"
		}),
	} {
		if _, err := tracer(t, llava).Trace(t.Context(), s, causal.Settings{}, nil); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := tracer(t, llama).Trace(stopped, sample(), causal.Settings{}, nil); err == nil ||
		!strings.Contains(err.Error(), "canceled") {
		t.Error(err)
	}
}
