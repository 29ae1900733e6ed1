package wav2vec2

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"gonum.org/v1/gonum/stat"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// made returns the uniform random numbers of two keys.
func made(t *testing.T, d *device.Device, keys [2]uint32, dimensions ...int) []float64 {
	t.Helper()
	program, err := d.Compile("uniform", model.NewStore(), func(_ *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{uniform(x[0], dimensions...)}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	outputs, err := program.Run(t.Context(), tensors.FromFlatDataAndDimensions(keys[:], 2))
	if err != nil {
		t.Fatal(err)
	}
	var values []float64
	for _, x := range tensors.MustCopyFlatData[float32](outputs[0]) {
		values = append(values, float64(x))
	}
	return values
}

// The numbers are from NumPy, whose products of uint32 also wrap around, where u is np.uint32:
//
//	def mix(x):
//		x = (x ^ x >> u(16)) * u(0x7feb352d)
//		x = (x ^ x >> u(15)) * u(0x846ca68b)
//		return x ^ x >> u(16)
//	(mix(mix(np.arange(6, dtype=u) + u(7)) ^ u(4000000000)) >> u(8)) / 2**24
var numPys = []float64{0.3593823313713074, 0.6510925889015198, 0.2729499936103821, 0.03169339895248413,
	0.8100923895835876, 0.773309051990509}

func TestUniform_EqualsNumPy(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, d *device.Device) {
		for i, x := range made(t, d, [2]uint32{7, 4000000000}, 2, 3) {
			if x != numPys[i] {
				t.Errorf("number %d is %v, want %v", i, x, numPys[i])
			}
		}
	})
}

func TestUniform_Independent(t *testing.T) {
	const count, bins = 1 << 18, 64
	d := devicetest.Open(t)
	first, second := made(t, d, [2]uint32{1, 2}, count), made(t, d, [2]uint32{1, 3}, count)
	observed := make([]float64, bins)
	for _, x := range first {
		observed[int(x*bins)]++
	}
	square := 0.
	for _, n := range observed {
		square += (n - count/bins) * (n - count/bins) / (count / bins)
	}
	// With 63 degrees of freedom, the mean is 63 and the deviation 11.2.
	if square < 30 || square > 110 {
		t.Errorf("χ² is %.1f", square)
	}
	for name, pair := range map[string][2][]float64{
		"neighbours": {first[1:], first[:count-1]}, "rows of 256": {first[256:], first[:count-256]},
		"other keys": {first, second}, "other keys, shifted": {first[1:], second[:count-1]},
	} {
		if r := stat.Correlation(pair[0], pair[1], nil); math.Abs(r) > 4/math.Sqrt(count) {
			t.Errorf("%s: a correlation of %.4f", name, r)
		}
	}
}

// Many numbers are computed on the device from keys; few are drawn on the host.
func TestDraw_KeysOrNumbers(t *testing.T) {
	const samples = 160_000
	drawn := map[string]int{}
	for i, site := range Base().Sites(2, samples) {
		value := Base().Draw(seed.Stream(1, "noise"), 2, samples, nil)[i]
		if !value.Shape().Equal(site.Shape) {
			t.Errorf("%s is %v, want %v", site.Name, value.Shape(), site.Shape)
		}
		drawn[site.Shape.DType.String()]++
	}
	// Keys are for the features, the encoder, and attention, hidden and output in each of twelve layers. The others are
	// for masks of time and LayerDrop.
	if want := 2 + 3*12; drawn[dtypes.Uint32.String()] != want || drawn[dtypes.Float32.String()] != 1 ||
		drawn[dtypes.Bool.String()] != 1 {
		t.Errorf("got %v, want [dtypes.Uint32.String()] %v, [dtypes.Float32.String()] 1, [dtypes.Bool.String()] 1",
			drawn, want)
	}
	for _, site := range SmallGroup().Sites(8, 4000) {
		if site.Shape.DType == dtypes.Uint32 {
			t.Errorf("%s of a small model is made from keys", site.Name)
		}
	}
}
