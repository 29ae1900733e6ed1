package compute

import (
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/causal"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
)

func TestWhatIsTracedStandsInThePartsThatMapsShow(t *testing.T) {
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
		t.Errorf("%+v", e)
	}
}
