//go:build goexperiment.simd && amd64

package fused

import (
	"math"
	"math/rand/v2"
	"simd/archsimd"
	"testing"
)

// multiplied computes a product with the given kernel.
func multiplied(g *gemm, left, right []float32, columns int, kernel func()) []float32 {
	before, width := tileKernel, tileColumns
	defer func() { tileKernel, tileColumns = before, width }()
	tileColumns = columns
	kernel()
	var p pool
	a, b, c := p.get(4*len(left)), p.get(4*len(right)), p.get(4*g.batch*g.rows*g.columns)
	copy(elements[float32](a.pointer(), len(left)), left)
	copy(elements[float32](b.pointer(), len(right)), right)
	g.run(c, []*memory{a, b})
	return append([]float32{}, elements[float32](c.pointer(), g.batch*g.rows*g.columns)...)
}

func TestProductsAreSumsOfProductsAndTheSameBitsWithEitherKernel(t *testing.T) {
	if !canMultiply() {
		t.Skip("this processor has no AVX2")
	}
	random := rand.New(rand.NewPCG(3, 4))
	for _, size := range []struct{ batch, rows, inner, columns int }{
		{1, 1, 1, 1}, {1, 3, 5, 7}, {2, 4, 256, 32}, {1, 65, 257, 33}, {3, 70, 300, 31}, {9, 5, 17, 40}, {1, 130, 700, 16}, {8, 64, 3, 64},
	} {
		for layout := range 4 {
			g := &gemm{batch: size.batch, rows: size.rows, inner: size.inner, columns: size.columns}
			g.left = strided{size.inner, 1, pattern{{size.batch, size.rows * size.inner}}}
			g.right = strided{size.columns, 1, pattern{{size.batch, size.inner * size.columns}}}
			if layout&1 != 0 {
				g.left.row, g.left.column = 1, size.rows
			}
			if layout&2 != 0 {
				g.right.row, g.right.column = 1, size.inner
			}
			left, right := make([]float32, size.batch*size.rows*size.inner), make([]float32, size.batch*size.inner*size.columns)
			for _, values := range [][]float32{left, right} {
				for i := range values {
					values[i] = float32(random.NormFloat64())
				}
			}
			narrow := multiplied(g, left, right, 16, func() { tileKernel = tile16 })
			for n := range size.batch {
				for i := range size.rows {
					for j := range size.columns {
						var want, scale float64
						for k := range size.inner {
							term := float64(left[g.left.at(n)+i*g.left.row+k*g.left.column]) * float64(right[g.right.at(n)+k*g.right.row+j*g.right.column])
							want, scale = want+term, scale+math.Abs(term)
						}
						if got := narrow[(n*size.rows+i)*size.columns+j]; math.Abs(float64(got)-want) > 1e-6*scale {
							t.Fatalf("%v, layout %d: element (%d, %d, %d) is %g, its sum is %g", size, layout, n, i, j, got, want)
						}
					}
				}
			}
			if !archsimd.X86.AVX512() {
				continue
			}
			wide := multiplied(g, left, right, 32, func() { tileKernel = tile32 })
			for i := range wide {
				if math.Float32bits(wide[i]) != math.Float32bits(narrow[i]) {
					t.Fatalf("%v, layout %d: element %d is %g with the wide kernel and %g with the narrow one", size, layout, i, wide[i], narrow[i])
				}
			}
		}
	}
}
