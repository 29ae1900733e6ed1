package answering_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
)

// In bfloat16 with float32 adapters, NPO takes nearly the steps of float32. A single step changes values by less than
// bfloat16 can express, and the frozen weights take half the memory.
func TestMix_FollowsFloat32(t *testing.T) {
	unlearntest.Watch(t)
	run := func(dtype dtypes.DType) (map[string][]float32, train.Log) {
		f := openFixture(t, dtype)
		j := answering.Job{Device: f.device, Store: f.store(t, true), Task: f.task(t), Method: answering.NPO(),
			Values: unlearn.Values{"batch": 2, "rate": 1e-3}, Budgets: []int{4}, Seed: 9}
		trained := map[string][]float32{}
		j.Snapshot = func(context.Context, int) error {
			for v := range j.Store.Scope("/" + unlearn.Policy).IterVariables() {
				master := strings.Contains(v.Path(), "/lora_") || strings.Contains(v.Path(), "/multi_modal_projector/")
				if master {
					trained[v.Path()] = tensors.MustCopyFlatData[float32](v.MustValue())
				} else if v.DType() != dtype {
					t.Errorf("%s is %s, want %s", v.Path(), v.DType(), dtype)
				}
			}
			return nil
		}
		result, err := j.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return trained, result.Log
	}
	want, wantLog := run(dtypes.Float32)
	got, log := run(dtypes.BFloat16)
	for i, step := range wantLog {
		if d := math.Abs(log[i].Loss-step.Loss) / math.Abs(step.Loss); !(d < 0.02) {
			t.Errorf("step %d: the loss is %g, in float32 %g", i+1, log[i].Loss, step.Loss)
		}
	}
	var inner, a, b float64
	f := openFixture(t, dtypes.Float32)
	start := f.store(t, true)
	short := true // whether all trained values are bfloat16
	for path, values := range want {
		before := tensors.MustCopyFlatData[float32](start.GetVariable(path).MustValue())
		for i, value := range values {
			x, y := float64(got[path][i]-before[i]), float64(value-before[i])
			inner, a, b = inner+x*y, a+x*x, b+y*y
			short = short && math.Float32bits(got[path][i])&0xffff == 0
		}
	}
	if cosine := inner / math.Sqrt(a*b); !(cosine > 0.9) {
		t.Errorf("the cosine of the changes in bfloat16 and in float32 is %g", cosine)
	}
	if short {
		t.Error("no trained value has more digits than bfloat16")
	}
}
