//go:build goexperiment.simd && amd64

package fused

import (
	"simd/archsimd"
	"unsafe"
)

// A tile is four rows by so many columns of a product. Either kernel adds the terms of an element one after another, so both give the same bits.
var tileKernel, tileColumns = func() (func(int, *tileRows, int, unsafe.Pointer, *tileRows), int) {
	if archsimd.X86.AVX512() {
		return tile32, 32
	}
	return tile16, 16
}()

// canMultiply reports whether the processor has what the kernels need.
func canMultiply() bool { return vectors }

func tile16(inner int, a *tileRows, step int, b unsafe.Pointer, c *tileRows) {
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	var s00, s01, s10, s11, s20, s21, s30, s31 archsimd.Float32x8
	at := 0
	for range inner {
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
		at += step
	}
	for i, s := range [4][2]archsimd.Float32x8{{s00, s01}, {s10, s11}, {s20, s21}, {s30, s31}} {
		s[0].Store((*[8]float32)(c[i]))
		s[1].Store((*[8]float32)(unsafe.Add(c[i], 32)))
	}
	archsimd.ClearAVXUpperBits()
}

func tile32(inner int, a *tileRows, step int, b unsafe.Pointer, c *tileRows) {
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	var s00, s01, s10, s11, s20, s21, s30, s31 archsimd.Float32x16
	at := 0
	for range inner {
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
		at += step
	}
	for i, s := range [4][2]archsimd.Float32x16{{s00, s01}, {s10, s11}, {s20, s21}, {s30, s31}} {
		s[0].Store((*[16]float32)(c[i]))
		s[1].Store((*[16]float32)(unsafe.Add(c[i], 64)))
	}
	archsimd.ClearAVXUpperBits()
}
