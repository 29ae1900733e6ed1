//go:build goexperiment.simd && amd64

package fused

import (
	"math/bits"
	"simd/archsimd"
	"unsafe"
)

// The kernels add the terms of an element one after another, and a panel has the same columns whichever kernel
// computes it. So all processors give the same bits.
var tileKernels = func() []tileKernel {
	if archsimd.X86.AVX512() {
		return wideKernels
	}
	return narrowKernels
}()

var (
	wideKernels   = []tileKernel{{8, 32, true, tile8x32}, {8, 16, true, tile8x16}}   // AVX-512
	narrowKernels = []tileKernel{{4, 32, false, tile4x32}, {4, 16, false, tile4x16}} // AVX2
)

// canMultiply reports whether the processor has the instructions that the kernels need.
func canMultiply() bool { return vectors }

//go:noescape
func tile8x32(inner int, a *tileRows, steps *[innerBlock]int, b unsafe.Pointer, stride int, c *tileRows, columns uint32,
	add bool)

//go:noescape
func tile8x16(inner int, a *tileRows, steps *[innerBlock]int, b unsafe.Pointer, stride int, c *tileRows, columns uint32,
	add bool)

// tile4x32 computes the halves of a panel one after the other and then stores them row by row, like tile8x32.
func tile4x32(inner int, a *tileRows, steps *[innerBlock]int, b unsafe.Pointer, stride int, c *tileRows, columns uint32,
	add bool) {
	var sums [4][32]float32
	var left, right tileRows
	for i := range sums {
		left[i], right[i] = unsafe.Pointer(&sums[i][0]), unsafe.Pointer(&sums[i][16])
	}
	multiply4x16(inner, a, steps, b, stride, &left)
	multiply4x16(inner, a, steps, unsafe.Add(b, 64), stride, &right)
	for i := range sums {
		storeRow(c[i], sums[i][:], columns, add)
	}
}

func tile4x16(inner int, a *tileRows, steps *[innerBlock]int, b unsafe.Pointer, stride int, c *tileRows, columns uint32,
	add bool) {
	var sums [4][16]float32
	var rows tileRows
	for i := range sums {
		rows[i] = unsafe.Pointer(&sums[i])
	}
	multiply4x16(inner, a, steps, b, stride, &rows)
	for i := range sums {
		storeRow(c[i], sums[i][:], columns, add)
	}
}

// storeRow stores the sums of the first columns, which are the lowest bits of columns.
func storeRow(to unsafe.Pointer, sums []float32, columns uint32, add bool) {
	n := bits.Len32(columns)
	row := elements[float32](to, n)
	if add {
		addTo(row, sums[:n])
		return
	}
	copy(row, sums[:n])
}

// multiply4x16 computes the sums of four rows by 16 columns.
func multiply4x16(inner int, a *tileRows, steps *[innerBlock]int, b unsafe.Pointer, stride int, c *tileRows) {
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	var s00, s01, s10, s11, s20, s21, s30, s31 archsimd.Float32x8
	for k, at := range steps[:inner] {
		row := unsafe.Add(b, k*stride) // b itself must not move: after the last row it would point past its memory
		b0 := archsimd.LoadFloat32x8((*[8]float32)(row))
		b1 := archsimd.LoadFloat32x8((*[8]float32)(unsafe.Add(row, 32)))
		x := archsimd.BroadcastFloat32x8(*(*float32)(unsafe.Add(a0, at)))
		s00, s01 = x.MulAdd(b0, s00), x.MulAdd(b1, s01)
		x = archsimd.BroadcastFloat32x8(*(*float32)(unsafe.Add(a1, at)))
		s10, s11 = x.MulAdd(b0, s10), x.MulAdd(b1, s11)
		x = archsimd.BroadcastFloat32x8(*(*float32)(unsafe.Add(a2, at)))
		s20, s21 = x.MulAdd(b0, s20), x.MulAdd(b1, s21)
		x = archsimd.BroadcastFloat32x8(*(*float32)(unsafe.Add(a3, at)))
		s30, s31 = x.MulAdd(b0, s30), x.MulAdd(b1, s31)
	}
	s00.Store((*[8]float32)(c[0]))
	s01.Store((*[8]float32)(unsafe.Add(c[0], 32)))
	s10.Store((*[8]float32)(c[1]))
	s11.Store((*[8]float32)(unsafe.Add(c[1], 32)))
	s20.Store((*[8]float32)(c[2]))
	s21.Store((*[8]float32)(unsafe.Add(c[2], 32)))
	s30.Store((*[8]float32)(c[3]))
	s31.Store((*[8]float32)(unsafe.Add(c[3], 32)))
	archsimd.ClearAVXUpperBits()
}
