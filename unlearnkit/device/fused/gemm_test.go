//go:build goexperiment.simd && amd64

package fused

import (
	"math"
	"math/rand/v2"
	"simd/archsimd"
	"strconv"
	"testing"
	"unsafe"
)

// multiplied computes a product with the given kernel.
func multiplied(g *gemm, left, right []float32, kernel tileKernel) []float32 {
	before := tileKernels
	defer func() { tileKernels = before }()
	tileKernels = []tileKernel{kernel}
	var p pool
	a, b, c := p.get(4*len(left)), p.get(4*len(right)), p.get(4*g.batch*g.rows*g.columns)
	copy(elements[float32](a.first, len(left)), left)
	copy(elements[float32](b.first, len(right)), right)
	g.run(c, []*memory{a, b})
	return append([]float32{}, elements[float32](c.first, g.batch*g.rows*g.columns)...)
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
		{1, 130, 700, 16}, {8, 64, 3, 64},
	} {
		for layout := range 8 {
			g := &gemm{batch: size.batch, rows: size.rows, inner: size.inner, columns: size.columns}
			g.left = inOrderOrTurned(size.batch, size.rows, size.inner, layout&1 != 0)
			g.right = inOrderOrTurned(size.batch, size.inner, size.columns, layout&2 != 0)
			g.result = inOrderOrTurned(size.batch, size.rows, size.columns, layout&4 != 0)
			left, right := make([]float32, size.batch*size.rows*size.inner),
				make([]float32, size.batch*size.inner*size.columns)
			for _, values := range [][]float32{left, right} {
				for i := range values {
					values[i] = float32(random.NormFloat64())
				}
			}
			narrow := multiplied(g, left, right, tileKernel{16, tile16})
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
			if !archsimd.X86.AVX512() {
				continue
			}
			wide := multiplied(g, left, right, tileKernel{32, tile32})
			for i := range wide {
				if math.Float32bits(wide[i]) != math.Float32bits(narrow[i]) {
					t.Fatalf("%v, layout %d: element %d is %g with the wide kernel and %g with the narrow one", size,
						layout, i, wide[i], narrow[i])
				}
			}
		}
	}
}

// BenchmarkTile times the kernels on panels of the greatest length, which are most of their work.
func BenchmarkTile(b *testing.B) {
	if !canMultiply() {
		b.Skip("needs AVX2")
	}
	for _, kernel := range tileKernels {
		b.Run(strconv.Itoa(kernel.columns), func(b *testing.B) {
			left, right, tile := make([]float32, 4*innerBlock), packing(innerBlock*kernel.columns),
				make([]float32, 4*kernel.columns)
			var a, c tileRows
			for i := range a {
				a[i], c[i] = unsafe.Pointer(&left[i*innerBlock]), unsafe.Pointer(&tile[i*kernel.columns])
			}
			var steps [innerBlock]int
			for i := range steps {
				steps[i] = 4 * i
			}
			for b.Loop() {
				kernel.run(innerBlock, &a, &steps, unsafe.Pointer(unsafe.SliceData(*right)), &c)
			}
			b.ReportMetric(2*4*float64(innerBlock*kernel.columns)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
		})
	}
}
