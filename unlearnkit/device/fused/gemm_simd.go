//go:build goexperiment.simd && amd64

package fused

import (
	"simd/archsimd"
	"unsafe"
)

// A tile is four rows by some columns of a product. All kernels add the terms of an element one after another, so they
// give the same bits.
var tileKernels = func() []tileKernel {
	if archsimd.X86.AVX512() {
		return []tileKernel{{32, tile32}, {16, tile16}}
	}
	return []tileKernel{{16, tile16}}
}()

// canMultiply reports whether the processor has the instructions that the kernels need.
func canMultiply() bool { return vectors }

func tile16(inner int, a *tileRows, steps *[innerBlock]int, b unsafe.Pointer, c *tileRows) {
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	var s00, s01, s10, s11, s20, s21, s30, s31 archsimd.Float32x8
	for _, at := range steps[:inner] {
		b0 := archsimd.LoadFloat32x8((*[8]float32)(b))
		b1 := archsimd.LoadFloat32x8((*[8]float32)(unsafe.Add(b, 32)))
		x := archsimd.BroadcastFloat32x8(*(*float32)(unsafe.Add(a0, at)))
		s00, s01 = x.MulAdd(b0, s00), x.MulAdd(b1, s01)
		x = archsimd.BroadcastFloat32x8(*(*float32)(unsafe.Add(a1, at)))
		s10, s11 = x.MulAdd(b0, s10), x.MulAdd(b1, s11)
		x = archsimd.BroadcastFloat32x8(*(*float32)(unsafe.Add(a2, at)))
		s20, s21 = x.MulAdd(b0, s20), x.MulAdd(b1, s21)
		x = archsimd.BroadcastFloat32x8(*(*float32)(unsafe.Add(a3, at)))
		s30, s31 = x.MulAdd(b0, s30), x.MulAdd(b1, s31)
		b = unsafe.Add(b, 64)
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

func tile32(inner int, a *tileRows, steps *[innerBlock]int, b unsafe.Pointer, c *tileRows) {
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	var s00, s01, s10, s11, s20, s21, s30, s31 archsimd.Float32x16
	for _, at := range steps[:inner] {
		b0 := archsimd.LoadFloat32x16((*[16]float32)(b))
		b1 := archsimd.LoadFloat32x16((*[16]float32)(unsafe.Add(b, 64)))
		x := archsimd.BroadcastFloat32x16(*(*float32)(unsafe.Add(a0, at)))
		s00, s01 = x.MulAdd(b0, s00), x.MulAdd(b1, s01)
		x = archsimd.BroadcastFloat32x16(*(*float32)(unsafe.Add(a1, at)))
		s10, s11 = x.MulAdd(b0, s10), x.MulAdd(b1, s11)
		x = archsimd.BroadcastFloat32x16(*(*float32)(unsafe.Add(a2, at)))
		s20, s21 = x.MulAdd(b0, s20), x.MulAdd(b1, s21)
		x = archsimd.BroadcastFloat32x16(*(*float32)(unsafe.Add(a3, at)))
		s30, s31 = x.MulAdd(b0, s30), x.MulAdd(b1, s31)
		b = unsafe.Add(b, 128)
	}
	s00.Store((*[16]float32)(c[0]))
	s01.Store((*[16]float32)(unsafe.Add(c[0], 64)))
	s10.Store((*[16]float32)(c[1]))
	s11.Store((*[16]float32)(unsafe.Add(c[1], 64)))
	s20.Store((*[16]float32)(c[2]))
	s21.Store((*[16]float32)(unsafe.Add(c[2], 64)))
	s30.Store((*[16]float32)(c[3]))
	s31.Store((*[16]float32)(unsafe.Add(c[3], 64)))
	archsimd.ClearAVXUpperBits()
}
