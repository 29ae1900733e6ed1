package zootest_test

import (
	"math"
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/zootest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// Every small model's step compiles for an H100, overwrites all weights and moments, and has as many operations as
// XLA's own analysis counts, HloCostAnalysis in jaxlib 0.11.2.
func TestSteps_CompileForGPU(t *testing.T) {
	if os.Getenv("UNLEARNLAB_COMPILE_FOR_GPU") == "" {
		t.Skip("make test-cuda-compile runs it: needs the compiler for CUDA, minutes")
	}
	d, err := device.OpenCompiler()
	if err != nil {
		t.Fatal(err)
	}
	analysed := map[string]float64{"clip": 2.58e9, "unet": 9.15e9}
	for _, m := range zootest.Benchmarked() {
		t.Run(m.Name, func(t *testing.T) {
			cost, err := zootest.Cost(d, m)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v, at least %.3g s", cost, cost.Seconds(device.H100))
			if cost.Peak <= cost.Arguments || cost.Peak > 1<<30 || cost.FLOPs <= 0 {
				t.Errorf("%+v", cost)
			}
			if left := cost.Outputs - cost.Aliased; left > 1<<16 { // the table of outputs is not aliased
				t.Errorf("%d bytes of variables exist twice after a step", left)
			}
			if want := analysed[m.Name]; want != 0 && math.Abs(cost.FLOPs/want-1) > .05 {
				t.Errorf("%.4g operations, by XLA's analysis %.4g", cost.FLOPs, want)
			}
		})
	}
}
