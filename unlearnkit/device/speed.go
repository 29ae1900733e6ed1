package device

import (
	"context"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Speed measures how fast the device multiplies float32 matrices, in 10⁹ operations per second. It takes a fraction of
// a second, or a few seconds on a slow machine.
func (d *Device) Speed(ctx context.Context) (float64, error) {
	n := 768 // fills the caches of one core; a GPU needs more work
	if d.plugin.Kind == "cuda" {
		n = 8192
	}
	const products = 4
	program, err := d.Compile("measure", model.NewStore(), func(_ *model.Scope, inputs []*graph.Node) []*graph.Node {
		x := inputs[0]
		for range products {
			x = graph.MatMul(inputs[0], x)
		}
		return []*graph.Node{graph.ReduceAllMax(x)} // a sum could be computed without the products
	})
	if err != nil {
		return 0, err
	}
	defer program.Close()
	values := make([]float32, n*n)
	for i := range values {
		values[i] = float32(i%7) / float32(n)
	}
	matrix := tensors.FromFlatDataAndDimensions(values, n, n)
	best := time.Duration(0)
	for begin := time.Now(); best == 0 || time.Since(begin) < 300*time.Millisecond; {
		start := time.Now()
		outputs, err := program.Run(ctx, matrix)
		if err != nil {
			return 0, err
		}
		outputs[0].Value() // XLA computes when the value is read
		if took := time.Since(start); best == 0 || took < best {
			best = took
		}
	}
	return 2 * products * float64(n) * float64(n) * float64(n) / best.Seconds() / 1e9, nil
}
