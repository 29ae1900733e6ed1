package train

import (
	"context"
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/causal"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// tracedSubject is the phrase that refers to the person in traced questions.
const tracedSubject = "the person in this image"

// Trace measures which activations a model's answers depend on, for up to Samples questions.
func (l *Lab) Trace(ctx context.Context, spec remem.TracingSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	d, p, err := l.begin(w, spec.World)
	if err != nil {
		return err
	}
	group := p.private
	if spec.Public {
		group = groupOf(p.world.Public)
	}
	records := traceable(group, spec.Samples)
	from, err := l.standing(in.All(append(spec.Under, spec.Model)))
	if err != nil {
		return err
	}
	return l.asked.ask(d, from, func(asked *witness) error {
		tracer := causal.New(asked.model)
		defer tracer.Close()
		var traces remem.Traces
		for i, r := range records {
			drawn, err := group.picture(r.Identity, r.Picture)
			if err != nil {
				return fmt.Errorf("%s: %w", r.ID, err)
			}
			trace, err := tracer.Trace(ctx, causal.Sample{
				Prompt: r.Question, Subject: tracedSubject, Answer: firstWords(r),
				Image: pixels(asked.config.Vision, drawn),
			}, causal.Settings{Whole: true}, nil)
			if err != nil {
				return fmt.Errorf("%s: %w", r.ID, err)
			}
			record(&traces, r, trace)
			if progress != nil {
				progress(i+1, len(records))
			}
		}
		w.Note("examples", len(records))
		return traces.Write(w.Path)
	})
}

// record adds the trace of one question to traces.
func record(traces *remem.Traces, r profile.Record, of *causal.Trace) {
	traces.Effects = append(traces.Effects, remem.Effect{ID: r.ID, Attribute: string(r.Attribute),
		Identity: int32(r.Identity), Question: of.Prompt, Answer: of.Answer, Clean: float32(of.Clean),
		Corrupted: float32(of.Corrupted), Traced: len(of.Maps) > 0})
	for _, m := range of.Maps {
		for row, effects := range m.Effects {
			for layer, effect := range effects {
				traces.Maps = append(traces.Maps, remem.Restored{ID: r.ID, Site: m.Site, Row: int32(row),
					Token: of.Rows[row].Token, Part: string(of.Rows[row].Part), Layer: int32(layer),
					Effect: float32(effect)})
			}
		}
	}
}

// firstWords returns the first words of a true answer, up to the end of the asked value. A model would not begin its
// answer with the value alone.
func firstWords(r profile.Record) string {
	before, _, _ := strings.Cut(r.Answer, r.Keyword)
	return before + r.Keyword
}

// traceable returns up to count questions in the form of the paper's examples. It takes one question about each person,
// then a second one about each person, and so on.
func traceable(of *group, count int) (chosen []profile.Record) {
	var fitting []profile.Record
	for _, r := range of.Of(profile.Train) {
		if r.Hop == profile.Multi && strings.Contains(r.Question, tracedSubject) {
			fitting = append(fitting, r)
		}
	}
	random := seed.Stream(0, "remem", "traced", len(fitting))
	random.Shuffle(len(fitting), func(i, j int) { fitting[i], fitting[j] = fitting[j], fitting[i] })
	for len(fitting) > 0 && len(chosen) < count {
		var later []profile.Record
		asked := map[int]bool{}
		for _, r := range fitting {
			if asked[r.Identity] || len(chosen) == count {
				later = append(later, r)
				continue
			}
			asked[r.Identity] = true
			chosen = append(chosen, r)
		}
		fitting = later
	}
	return chosen
}
