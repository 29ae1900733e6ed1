//go:build goexperiment.simd && amd64

package vectorstate

import "simd/archsimd"

// Clear marks the upper halves of the vector registers as unused. Call it before code of others that calls math.Exp in
// a loop.
func Clear() { archsimd.ClearAVXUpperBits() }
