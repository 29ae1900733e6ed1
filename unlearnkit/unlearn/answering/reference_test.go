package answering_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
)

// The frozen model has adapters and a projector of its own, and reads the policy's other tensors. Models and losses are
// the same as with a frozen model that is a copy of everything.
func TestReference_SharesWeights(t *testing.T) {
	unlearntest.Watch(t)
	run := func(m answering.Method, whole bool) (policy, frozen map[string]string, log train.Log) {
		j := newJob(t, m, 2)
		if whole {
			j.Task.After = func(*model.Scope, *graph.Graph) {} // might change any tensor
		}
		j.Snapshot = func(context.Context, int) error {
			policy = unlearntest.Contents(t, j.Store, unlearn.Policy)
			frozen = unlearntest.Contents(t, j.Store, unlearn.Reference)
			return nil
		}
		result, err := j.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return policy, frozen, result.Log
	}
	for _, m := range answering.Methods() {
		if !m.Reference {
			continue
		}
		policy, shared, log := run(m, false)
		want, whole, wantLog := run(m, true)
		if names := unlearntest.Differing(want, policy); len(names) > 0 {
			t.Errorf("%s: %v of the model differ", m.Name, names)
		}
		if diff := cmp.Diff(wantLog, log); diff != "" {
			t.Errorf("%s: the log differs: %s", m.Name, diff)
		}
		for name := range whole {
			own := strings.Contains(name, "/lora_") || strings.HasPrefix(name, "multi_modal_projector/")
			if _, copied := shared[name]; copied != own {
				t.Errorf("%s: %s is copied: %v, want %v", m.Name, name, copied, own)
			}
		}
	}
}
