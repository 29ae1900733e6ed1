package safefile

import "math"

// float16 widens an IEEE 754 half-precision number. A NaN keeps its payload.
func float16(bits uint16) float32 {
	sign, exponent, fraction := uint32(bits>>15)<<31, uint32(bits>>10&0x1f), uint32(bits&0x3ff)
	switch exponent {
	case 0: // subnormal: fraction · 2⁻²⁴, which float32 holds exactly
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 0x1f:
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// Float16 rounds to the nearest half-precision number, ties to even. Numbers that are too large become infinite.
func Float16(value float32) (bits uint16) {
	wide := math.Float32bits(value)
	sign, size := uint16(wide>>16)&0x8000, math.Abs(float64(value))
	switch {
	case math.IsNaN(size):
		return sign | 0x7e00
	case size >= 65520: // halfway between the largest number and infinity
		return sign | 0x7c00
	case size < 0x1p-14: // subnormal: a multiple of 2⁻²⁴
		return sign | uint16(math.RoundToEven(size*0x1p24))
	}
	// A carry out of the fraction increases the exponent.
	return sign | uint16((wide&0x7fffffff-(127-15)<<23+0xfff+wide>>13&1)>>13)
}

// bfloat16 widens the upper half of a float32.
func bfloat16(bits uint16) float32 { return math.Float32frombits(uint32(bits) << 16) }

// float8E5M2 widens the upper byte of a half-precision number.
func float8E5M2(bits byte) float32 { return float16(uint16(bits) << 8) }

// float8E4M3 widens the type that PyTorch calls float8_e4m3fn: no infinities, and NaN is all ones after the sign.
func float8E4M3(bits byte) float32 {
	sign, exponent, fraction := uint32(bits>>7)<<31, uint32(bits>>3&0xf), uint32(bits&7)
	switch {
	case bits&0x7f == 0x7f:
		return math.Float32frombits(sign | 0xff<<23 | 1<<22)
	case exponent == 0: // subnormal: fraction · 2⁻⁹
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-9))
	}
	return math.Float32frombits(sign | (exponent+127-7)<<23 | fraction<<20)
}
