//go:build goexperiment.simd && amd64

#include "textflag.h"

// The kernels below compute a tile of eight rows. Written by hand. Registers:
//
//	CX      terms left
//	R8-R13, R15, BX    the rows of the left matrix, later those of the result
//	SI      distances of the terms from the start of a row of the left matrix, in bytes
//	DI, DX  row of the right matrix, distance to the next one
//	K1, K2  the columns that exist
//	Z0-Z15  sums

#define ROWS(rows) \
	MOVQ (rows), R8 \
	MOVQ 8(rows), R9 \
	MOVQ 16(rows), R10 \
	MOVQ 24(rows), R11 \
	MOVQ 32(rows), R12 \
	MOVQ 40(rows), R13 \
	MOVQ 48(rows), R15 \
	MOVQ 56(rows), BX

// MULTIPLY adds the products of one element of a row with 32 columns.
#define MULTIPLY(row, low, high) \
	VBROADCASTSS (row)(AX*1), Z18 \
	VFMADD231PS Z16, Z18, low \
	VFMADD231PS Z17, Z18, high

#define STORE(row, low, high) \
	VMOVUPS low, K1, (row) \
	VMOVUPS high, K2, 64(row)

// ADD stores a row before the next one is read, because rows may share places.
#define ADD(row, low, high) \
	VADDPS (row), low, K1, low \
	VADDPS 64(row), high, K2, high \
	STORE(row, low, high)

#define STORE16(row, sums) VMOVUPS sums, K1, (row)

#define ADD16(row, sums) \
	VADDPS (row), sums, K1, sums \
	STORE16(row, sums)

// func tile8x32(inner int, a *tileRows, steps *[innerBlock]int, b unsafe.Pointer, stride int, c *tileRows, columns uint32,
//	add bool)
TEXT ·tile8x32(SB), NOSPLIT, $0-53
	MOVQ inner+0(FP), CX
	MOVQ a+8(FP), AX
	MOVQ steps+16(FP), SI
	MOVQ b+24(FP), DI
	MOVQ stride+32(FP), DX
	MOVL columns+48(FP), R8
	KMOVW R8, K1
	SHRL $16, R8
	KMOVW R8, K2
	ROWS(AX)
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z4, Z4, Z4
	VPXORQ Z5, Z5, Z5
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7
	VPXORQ Z8, Z8, Z8
	VPXORQ Z9, Z9, Z9
	VPXORQ Z10, Z10, Z10
	VPXORQ Z11, Z11, Z11
	VPXORQ Z12, Z12, Z12
	VPXORQ Z13, Z13, Z13
	VPXORQ Z14, Z14, Z14
	VPXORQ Z15, Z15, Z15
terms32:
	MOVQ (SI), AX
	VMOVUPS.Z (DI), K1, Z16
	VMOVUPS.Z 64(DI), K2, Z17
	MULTIPLY(R8, Z0, Z1)
	MULTIPLY(R9, Z2, Z3)
	MULTIPLY(R10, Z4, Z5)
	MULTIPLY(R11, Z6, Z7)
	MULTIPLY(R12, Z8, Z9)
	MULTIPLY(R13, Z10, Z11)
	MULTIPLY(R15, Z12, Z13)
	MULTIPLY(BX, Z14, Z15)
	ADDQ $8, SI
	ADDQ DX, DI
	DECQ CX
	JNZ terms32
	MOVQ c+40(FP), AX
	MOVBLZX add+52(FP), CX
	ROWS(AX)
	TESTL CX, CX
	JZ store32
	ADD(R8, Z0, Z1)
	ADD(R9, Z2, Z3)
	ADD(R10, Z4, Z5)
	ADD(R11, Z6, Z7)
	ADD(R12, Z8, Z9)
	ADD(R13, Z10, Z11)
	ADD(R15, Z12, Z13)
	ADD(BX, Z14, Z15)
	VZEROUPPER
	RET
store32:
	STORE(R8, Z0, Z1)
	STORE(R9, Z2, Z3)
	STORE(R10, Z4, Z5)
	STORE(R11, Z6, Z7)
	STORE(R12, Z8, Z9)
	STORE(R13, Z10, Z11)
	STORE(R15, Z12, Z13)
	STORE(BX, Z14, Z15)
	VZEROUPPER
	RET

// func tile8x16(inner int, a *tileRows, steps *[innerBlock]int, b unsafe.Pointer, stride int, c *tileRows, columns uint32,
//	add bool)
TEXT ·tile8x16(SB), NOSPLIT, $0-53
	MOVQ inner+0(FP), CX
	MOVQ a+8(FP), AX
	MOVQ steps+16(FP), SI
	MOVQ b+24(FP), DI
	MOVQ stride+32(FP), DX
	MOVL columns+48(FP), R8
	KMOVW R8, K1
	ROWS(AX)
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z4, Z4, Z4
	VPXORQ Z5, Z5, Z5
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7
terms16:
	MOVQ (SI), AX
	VMOVUPS.Z (DI), K1, Z16
	VFMADD231PS.BCST (R8)(AX*1), Z16, Z0
	VFMADD231PS.BCST (R9)(AX*1), Z16, Z1
	VFMADD231PS.BCST (R10)(AX*1), Z16, Z2
	VFMADD231PS.BCST (R11)(AX*1), Z16, Z3
	VFMADD231PS.BCST (R12)(AX*1), Z16, Z4
	VFMADD231PS.BCST (R13)(AX*1), Z16, Z5
	VFMADD231PS.BCST (R15)(AX*1), Z16, Z6
	VFMADD231PS.BCST (BX)(AX*1), Z16, Z7
	ADDQ $8, SI
	ADDQ DX, DI
	DECQ CX
	JNZ terms16
	MOVQ c+40(FP), AX
	MOVBLZX add+52(FP), CX
	ROWS(AX)
	TESTL CX, CX
	JZ store16
	ADD16(R8, Z0)
	ADD16(R9, Z1)
	ADD16(R10, Z2)
	ADD16(R11, Z3)
	ADD16(R12, Z4)
	ADD16(R13, Z5)
	ADD16(R15, Z6)
	ADD16(BX, Z7)
	VZEROUPPER
	RET
store16:
	STORE16(R8, Z0)
	STORE16(R9, Z1)
	STORE16(R10, Z2)
	STORE16(R11, Z3)
	STORE16(R12, Z4)
	STORE16(R13, Z5)
	STORE16(R15, Z6)
	STORE16(BX, Z7)
	VZEROUPPER
	RET
