//go:build goexperiment.simd && amd64

package fused

import (
	"fmt"
	"math"
	"math/rand/v2"
	"simd/archsimd"
	"slices"
	"testing"
	"unsafe"
)

// multiplied computes a product with the given kernels. The result has size elements.
func multiplied(g *gemm, left, right []float32, size int, kernels []tileKernel) []float32 {
	before := tileKernels
	defer func() { tileKernels = before }()
	tileKernels = kernels
	var p pool
	a, b, c := p.get(4*len(left)), p.get(4*len(right)), p.get(4*size)
	copy(elements[float32](a.first, len(left)), left)
	copy(elements[float32](b.first, len(right)), right)
	g.run(c, []*memory{a, b})
	return append([]float32{}, elements[float32](c.first, size)...)
}

// drawn returns values from a normal distribution.
func drawn(random *rand.Rand, n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.NormFloat64())
	}
	return values
}

// requireSameBits compares the product of the AVX-512 kernels with the product of the AVX2 kernels.
func requireSameBits(t *testing.T, g *gemm, left, right, narrow []float32) {
	t.Helper()
	if !archsimd.X86.AVX512() {
		return
	}
	wide := multiplied(g, left, right, len(narrow), wideKernels)
	for i := range wide {
		if math.Float32bits(wide[i]) != math.Float32bits(narrow[i]) {
			t.Fatalf("%+v: element %d is %g with AVX-512 and %g with AVX2", *g, i, wide[i], narrow[i])
		}
	}
}

// inOrderOrTurned returns a batch of matrices that are stored one after another, by rows or, if turned, by columns.
func inOrderOrTurned(batch, rows, columns int, turned bool) matrix {
	m := matrix{batch: pattern{{batch, rows * columns}}, rows: pattern{{rows, columns}}, columns: pattern{{columns, 1}}}
	if turned {
		m.rows, m.columns = pattern{{rows, 1}}, pattern{{columns, rows}}
	}
	return m
}

func place(m matrix, n, i, j int) int {
	return n*m.batch[0].stride + i*m.rows[0].stride + j*m.columns[0].stride
}

// All kernels compute the same product, bit for bit.
func TestProducts_BothKernels(t *testing.T) {
	if !canMultiply() {
		t.Skip("needs AVX2")
	}
	random := rand.New(rand.NewPCG(3, 4))
	for _, size := range []struct{ batch, rows, inner, columns int }{
		{1, 1, 1, 1}, {1, 3, 5, 7}, {2, 4, 256, 32}, {1, 65, 257, 33}, {3, 70, 300, 31}, {9, 5, 17, 40},
		{1, 130, 700, 16}, {8, 64, 3, 64}, {9, 24, 16, 24}, {1, 200, 20, 77}, {2, 11, 513, 50},
	} {
		for layout := range 8 {
			g := &gemm{batch: size.batch, rows: size.rows, inner: size.inner, columns: size.columns}
			g.left = inOrderOrTurned(size.batch, size.rows, size.inner, layout&1 != 0)
			g.right = inOrderOrTurned(size.batch, size.inner, size.columns, layout&2 != 0)
			g.result = inOrderOrTurned(size.batch, size.rows, size.columns, layout&4 != 0)
			left := drawn(random, size.batch*size.rows*size.inner)
			right := drawn(random, size.batch*size.inner*size.columns)
			narrow := multiplied(g, left, right, size.batch*size.rows*size.columns, narrowKernels)
			for n := range size.batch {
				for i := range size.rows {
					for j := range size.columns {
						var want, scale float64
						for k := range size.inner {
							term := float64(left[place(g.left, n, i, k)]) * float64(right[place(g.right, n, k, j)])
							want, scale = want+term, scale+math.Abs(term)
						}
						if got := narrow[place(g.result, n, i, j)]; math.Abs(float64(got)-want) > 1e-6*scale {
							t.Fatalf("%v, layout %d: element (%d, %d, %d) is %g, its sum is %g", size, layout, n, i, j,
								got, want)
						}
					}
				}
			}
			requireSameBits(t, g, left, right, narrow)
		}
	}
}

// Where rows of a product share places, as in the gradient of a convolution, the values are added in the same order.
func TestProducts_SharedPlaces(t *testing.T) {
	if !canMultiply() {
		t.Skip("needs AVX2")
	}
	random := rand.New(rand.NewPCG(5, 6))
	for _, size := range []struct{ rows, inner, taps, channels int }{
		{10, 7, 3, 4}, {100, 20, 3, 16}, {70, 300, 5, 32}, {33, 16, 9, 7},
	} {
		columns := size.taps * size.channels
		g := &gemm{batch: 1, rows: size.rows, inner: size.inner, columns: columns, accumulates: true}
		g.left = inOrderOrTurned(1, size.rows, size.inner, false)
		g.right = inOrderOrTurned(1, size.inner, columns, false)
		g.result = matrix{batch: pattern{{1, 1}}, rows: pattern{{size.rows, size.channels}},
			columns: pattern{{columns, 1}}}
		left, right := drawn(random, size.rows*size.inner), drawn(random, size.inner*columns)
		narrow := multiplied(g, left, right, (size.rows+size.taps-1)*size.channels, narrowKernels)
		want, scale := make([]float64, len(narrow)), make([]float64, len(narrow))
		for i := range size.rows {
			for j := range columns {
				for k := range size.inner {
					term := float64(left[i*size.inner+k]) * float64(right[k*columns+j])
					want[i*size.channels+j] += term
					scale[i*size.channels+j] += math.Abs(term)
				}
			}
		}
		for i := range want {
			if math.Abs(float64(narrow[i])-want[i]) > 1e-6*scale[i] {
				t.Fatalf("%v: place %d is %g, its sum is %g", size, i, narrow[i], want[i])
			}
		}
		requireSameBits(t, g, left, right, narrow)
	}
}

// BenchmarkTile times the kernels on panels of the greatest length, which are most of their work.
func BenchmarkTile(b *testing.B) {
	if !canMultiply() {
		b.Skip("needs AVX2")
	}
	kernels := narrowKernels
	if archsimd.X86.AVX512() {
		kernels = append(slices.Clone(wideKernels), narrowKernels...)
	}
	for _, kernel := range kernels {
		b.Run(fmt.Sprintf("%d×%d", kernel.rows, kernel.columns), func(b *testing.B) {
			left, right, tile := make([]float32, kernel.rows*innerBlock), make([]float32, innerBlock*kernel.columns+1),
				make([]float32, kernel.rows*kernel.columns)
			var a, c tileRows
			for i := range kernel.rows {
				a[i], c[i] = unsafe.Pointer(&left[i*innerBlock]), unsafe.Pointer(&tile[i*kernel.columns])
			}
			var steps [innerBlock]int
			for i := range steps {
				steps[i] = 4 * i
			}
			for b.Loop() {
				kernel.run(innerBlock, &a, &steps, unsafe.Pointer(&right[0]), 4*kernel.columns, &c,
					uint32(1)<<kernel.columns-1, false)
			}
			b.ReportMetric(2*float64(kernel.rows*innerBlock*kernel.columns)*float64(b.N)/b.Elapsed().Seconds()/1e9,
				"Gflop/s")
		})
	}
}

// BenchmarkProduct times products of the sizes of small models.
func BenchmarkProduct(b *testing.B) {
	if !canMultiply() {
		b.Skip("needs AVX2")
	}
	for _, size := range []struct {
		batch, rows, inner, columns int
		turned                      bool
	}{
		{1, 2464, 256, 1024, false}, {1, 256, 2464, 1024, false}, {256, 77, 32, 77, true}, {256, 77, 77, 32, false},
		{256, 24, 16, 24, true}, {256, 24, 24, 16, false}, {1, 1088, 64, 64, false},
	} {
		g := &gemm{batch: size.batch, rows: size.rows, inner: size.inner, columns: size.columns}
		g.left = inOrderOrTurned(size.batch, size.rows, size.inner, false)
		g.right = inOrderOrTurned(size.batch, size.inner, size.columns, size.turned)
		g.result = inOrderOrTurned(size.batch, size.rows, size.columns, false)
		b.Run(fmt.Sprintf("%d×(%d·%d·%d)", size.batch, size.rows, size.inner, size.columns), func(b *testing.B) {
			var p pool
			left, right := size.batch*size.rows*size.inner, size.batch*size.inner*size.columns
			from := []*memory{p.get(4 * left), p.get(4 * right)}
			to := p.get(4 * size.batch * size.rows * size.columns)
			for b.Loop() {
				g.run(to, from)
			}
			terms := float64(size.batch * size.rows * size.inner * size.columns)
			b.ReportMetric(2*terms*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
		})
	}
}
