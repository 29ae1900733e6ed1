package train

import (
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/causal"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
)

// Effects are stored for the parts that the maps show.
func TestTrace_Parts(t *testing.T) {
	trace := &causal.Trace{Clean: .9, Corrupted: .2}
	for _, part := range []causal.Part{causal.ImagePart, causal.SubjectPart, causal.LaterPart, causal.LastPart} {
		trace.Rows = append(trace.Rows, causal.Row{Part: part})
	}
	trace.Maps = []causal.Map{{Site: "attention", Effects: [][]float64{{.1, .2}, {.3, .4}, {.5, .6}, {.7, .8}}}}
	var traces remem.Traces
	record(&traces, profile.Record{ID: "train-01-000", Identity: 1, Attribute: profile.Job}, trace)
	var parts []string
	for i, restored := range traces.Maps {
		if restored.Layer == 0 {
			parts = append(parts, restored.Part)
		}
		if want := float32(i+1) / 10; restored.Effect != want || restored.ID != "train-01-000" {
			t.Errorf("%d: %+v, want %v", i, restored, want)
		}
	}
	if !slices.Equal(parts, remem.MapParts) {
		t.Errorf("the tracer's parts are %v, those of maps %v", parts, remem.MapParts)
	}
	if e := traces.Effects[0]; !e.Traced || e.Identity != 1 || e.Attribute != "job" {
		t.Errorf(`got %+v, want Traced true, Identity 1, Attribute "job"`, e)
	}
}

// No question is traced twice, and all people are asked about equally often.
func TestTraceable_Fair(t *testing.T) {
	p := world(t)
	for _, of := range []*group{p.private, groupOf(p.world.Public)} {
		for _, count := range []int{7, 20, 100} {
			asked, times := map[string]bool{}, map[int]int{}
			for _, r := range traceable(of, count) {
				if asked[r.ID] {
					t.Fatalf("%s is traced twice", r.ID)
				}
				asked[r.ID] = true
				times[r.Identity]++
			}
			if len(asked) != count {
				t.Errorf("%d questions, want %d", len(asked), count)
			}
			for person, n := range times {
				if n > (count+19)/20 {
					t.Errorf("person %d is asked %d of %d questions", person, n, count)
				}
			}
		}
	}
}

func TestTraceable_Limit(t *testing.T) {
	p := world(t)
	few, all := traceable(p.private, 1<<20), 0
	for _, r := range p.private.Of(profile.Train) {
		if r.Hop == profile.Multi && strings.Contains(r.Question, tracedSubject) {
			all++
		}
	}
	if len(few) != all {
		t.Errorf("%d questions, of %d", len(few), all)
	}
	t.Log(all)
}
