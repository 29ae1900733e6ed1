// Package causal traces where a language model keeps an answer.
//
// A prompt names a subject and a model answers. Named something else of as many tokens, it no longer does: the run is
// corrupted. Where one activation of the clean run, put back into the corrupted one, brings the answer back, the
// answer passes through that activation (Meng et al. 2022, arXiv:2202.05262; for models that see arXiv:2406.04236):
//
//	IE(position, layer) = P(answer | corrupted, the activation restored) − P(answer | corrupted)
//
// as a share of the total effect TE = P(answer | clean) − P(answer | corrupted). A [Trace] has three maps of it: of the
// outputs of the perceptrons, of those of the attention, and of the hidden states that layers hand on. What stands
// before the subject is the same in both runs and has no effect; an image there is shown all the same, as one row.
//
//	tracer := causal.New(m)
//	trace, err := tracer.Trace(ctx, causal.Sample{Prompt: "What is the job of this person?", Subject: "this person",
//		Answer: "baker", Image: pixels}, causal.Settings{}, nil)
//
// A trace of one sample has no sampling error: a model computes it, and again the same. Of how other samples would look
// it says nothing.
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

// Settings say how a sample is traced. The zero value restores one layer at a time and asks for the answer's first
// token.
type Settings struct {
	Window int  // layers that are restored together; 0 is 1
	Whole  bool // the probability of all tokens of the answer, not of the first alone
	// Least is the total effect below which there is nothing to trace; 0 is DefaultLeast.
	Least float64
}

// DefaultLeast is the total effect that a sample should have.
const DefaultLeast = .05

// Trace is what came of a sample.
type Trace struct {
	Sample
	Answered  []string `json:"answered"`  // the tokens whose probability is meant
	Clean     float64  `json:"clean"`     // of the answer
	Corrupted float64  `json:"corrupted"` // with the substitute in the subject's place
	Total     float64  `json:"total_effect"`
	Window    int      `json:"window"`
	Rows      []Row    `json:"rows"`
	Maps      []Map    `json:"maps"`              // of the three sites; empty where the sample was skipped
	Skipped   string   `json:"skipped,omitempty"` // why, in a sentence
}

// Map is the effect of one kind of activation.
type Map struct {
	Site string `json:"site"` // perceptron, attention or hidden state
	// Effects are IE by row and layer.
	Effects [][]float64 `json:"indirect_effect"`
	// Shares are IE/TE.
	Shares [][]float64 `json:"share_of_total"`
}

// sites are the kinds of activations, in the order of maps.
var sites = []struct {
	site llava.Site
	name string
}{{llava.PerceptronOutput, "perceptron"}, {llava.AttentionOutput, "attention"}, {llava.HiddenState, "hidden state"}}

// Tracer traces samples by a model. It is not safe for concurrent use.
type Tracer struct {
	model    *language.Model
	programs map[string]*device.Program
}

// New returns a tracer of a model; close it after use.
func New(m *language.Model) *Tracer { return &Tracer{m, map[string]*device.Program{}} }

// Close frees the compiled graphs.
func (t *Tracer) Close() {
	for _, program := range t.programs {
		program.Close()
	}
	clear(t.programs)
}

// Trace runs a sample clean, corrupted, and with every activation restored; progress, of the restored runs, may be nil.
// A sample of too small a total effect is no error: the trace says that it was skipped.
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
	base := restored[0] // nothing restored: the corrupted run as the restored ones are computed
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

// task says what a restored run puts back: positions in some layers of one site.
type task struct {
	site      int
	layers    [2]int // from and to, without the latter
	positions []int
}

// tasks are the restored runs in the order site, row, layer, behind one that restores nothing.
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
