// Package causal locates the activations of a language model that carry an answer.
//
// A prompt names a subject, and a model answers. If a different text with as many tokens replaces the subject, the
// answer is lost: this is the corrupted run. If one activation of the clean run, restored in the corrupted run,
// recovers the answer, then the answer passes through that activation (Meng et al. 2022, arXiv:2202.05262; for models
// that read images arXiv:2406.04236):
//
//	IE(position, layer) = P(answer | corrupted, the activation restored) − P(answer | corrupted)
//
// as a share of the total effect TE = P(answer | clean) − P(answer | corrupted). A [Trace] has three maps of IE: for
// the outputs of the perceptrons, the outputs of the attention, and the hidden states between layers. The tokens before
// the subject are the same in both runs and have no effect. An image before the subject is nevertheless a row of the
// maps.
//
//	tracer := causal.New(m)
//	trace, err := tracer.Trace(ctx, causal.Sample{Prompt: "What is the job of this person?", Subject: "this person",
//		Answer: "baker", Image: pixels}, causal.Settings{}, nil)
//
// A trace of one sample has no sampling error: the model gives the same numbers every time. It says nothing about other
// samples.
package causal

import (
	"context"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// Settings configures a trace. The zero value restores one layer at a time and uses the probability of the answer's
// first token.
type Settings struct {
	Window int  // number of layers that are restored together; 0 means 1
	Whole  bool // use the probability of all tokens of the answer, not only of the first
	// Least is the total effect below which the sample is skipped; 0 means DefaultLeast.
	Least float64
}

// DefaultLeast is the default of [Settings.Least].
const DefaultLeast = .05

// Trace is the result of tracing a sample.
type Trace struct {
	Sample
	Answered  []string `json:"answered"`  // tokens of the answer whose probability is used
	Clean     float64  `json:"clean"`     // probability of the answer in the clean run
	Corrupted float64  `json:"corrupted"` // probability of the answer in the corrupted run
	Total     float64  `json:"total_effect"`
	Window    int      `json:"window"`
	Rows      []Row    `json:"rows"`
	Maps      []Map    `json:"maps"`              // one map per site; none if the sample was skipped
	Skipped   string   `json:"skipped,omitempty"` // reason for skipping the sample, as a sentence
}

// Map holds the effects of one kind of activation.
type Map struct {
	Site string `json:"site"` // perceptron, attention or hidden state
	// Effects holds IE by row and layer.
	Effects [][]float64 `json:"indirect_effect"`
	// Shares holds IE/TE.
	Shares [][]float64 `json:"share_of_total"`
}

// sites lists the kinds of activation in the order of the maps.
var sites = []struct {
	site llava.Site
	name string
}{{llava.PerceptronOutput, "perceptron"}, {llava.AttentionOutput, "attention"}, {llava.HiddenState, "hidden state"}}

// Tracer traces samples with a model. It is not safe for concurrent use.
type Tracer struct {
	model    *language.Model
	programs map[string]*device.Program
}

// New returns a tracer of a model. Close it after use.
func New(m *language.Model) *Tracer { return &Tracer{m, map[string]*device.Program{}} }

// Close frees the compiled graphs.
func (t *Tracer) Close() {
	for _, program := range t.programs {
		program.Close()
	}
	clear(t.programs)
}

// Trace runs a sample clean, corrupted, and with every activation restored. progress counts the restored runs and may
// be nil. A sample with too small a total effect is not an error: Trace.Skipped has the reason.
func (t *Tracer) Trace(ctx context.Context, sample Sample, s Settings, progress attack.Progress) (*Trace, error) {
	if s.Window == 0 {
		s.Window = 1
	}
	if s.Least == 0 {
		s.Least = DefaultLeast
	}
	layers := t.model.Text.Layers
	if s.Window < 1 || s.Window > layers {
		return nil, fmt.Errorf("a window of %d layers; give one from 1 to the model's %d", s.Window, layers)
	}
	if !(s.Least > 0 && s.Least < 1) {
		return nil, fmt.Errorf("a least total effect of %g; give a difference of probabilities above 0", s.Least)
	}
	p, err := t.prepare(sample, s.Whole)
	if err != nil {
		return nil, err
	}
	runs, err := t.record(ctx, p)
	if err != nil {
		return nil, err
	}
	defer runs.free()
	trace := &Trace{Sample: p.sample, Clean: runs.probabilities[0], Corrupted: runs.probabilities[1], Window: s.Window,
		Rows: p.rows, Maps: []Map{}}
	trace.Total = trace.Clean - trace.Corrupted
	for _, id := range p.answer {
		trace.Answered = append(trace.Answered, t.model.Token(id))
	}
	if !(trace.Total >= s.Least) {
		trace.Skipped = fmt.Sprintf("The answer has the probability %.3g, and %.3g with %q: the difference of %.3g is "+
			"less than %g, so there is nothing to trace; try another substitute, or another question.", trace.Clean,
			trace.Corrupted, p.sample.Substitute, trace.Total, s.Least)
		return trace, nil
	}
	restored, err := t.restore(ctx, p, runs, tasks(p.rows, layers, s.Window), progress)
	if err != nil {
		return nil, err
	}
	base := restored[0] // nothing restored: the corrupted run, computed the same way as the restored runs
	for i, site := range sites {
		m := Map{Site: site.name}
		for row := range p.rows {
			at := 1 + (i*len(p.rows)+row)*layers
			effects, shares := slices.Clone(restored[at:at+layers]), make([]float64, layers)
			for layer := range effects {
				effects[layer] -= base
				shares[layer] = effects[layer] / trace.Total
			}
			m.Effects, m.Shares = append(m.Effects, effects), append(m.Shares, shares)
		}
		trace.Maps = append(trace.Maps, m)
	}
	return trace, nil
}

// task describes a restored run: positions in some layers of one site.
type task struct {
	site      int
	layers    [2]int // first layer, and one past the last
	positions []int
}

// tasks returns the restored runs in the order site, row, layer, after one run that restores nothing.
func tasks(rows []Row, layers, window int) []task {
	all := []task{{}}
	for site := range sites {
		for _, row := range rows {
			for layer := range layers {
				from, to := max(0, layer-window/2), min(layers, layer+(window-1)/2+1)
				all = append(all, task{site, [2]int{from, to}, row.positions})
			}
		}
	}
	return all
}
