package device

import (
	"context"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
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
	const products = 12
	program, err := d.Compile("measure", model.NewStore(), func(_ *model.Scope, inputs []*graph.Node) []*graph.Node {
		// The matrix is computed, because sending one to a GPU takes longer than the products.
		shape := shapes.Make(dtypes.Float32, n, n)
		sum := graph.Add(graph.Iota(inputs[0].Graph(), shape, 0), graph.Iota(inputs[0].Graph(), shape, 1))
		matrix := graph.Mul(sum, inputs[0])
		x := matrix
		for range products {
			x = graph.MatMul(matrix, x)
		}
		return []*graph.Node{graph.ReduceAllMax(x)} // a sum could be computed without the products
	})
	if err != nil {
		return 0, err
	}
	defer program.Close()
	scale := tensors.FromScalar(1 / float32(n*n))
	best := time.Duration(0)
	for begin := time.Now(); best == 0 || time.Since(begin) < 300*time.Millisecond; {
		start := time.Now()
		outputs, err := program.Run(ctx, scale)
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
