// Package vectorstate keeps math.Exp fast in programs built with GOEXPERIMENT=simd.
//
// In that build the runtime saves and restores the wide vector registers of a goroutine that it preempts, and leaves
// their upper halves marked as used. From then on each change between the old and the new encoding of scalar
// instructions, which math.Exp makes several times a call on amd64, costs the processor about a hundred nanoseconds:
// measured, 5 ns a call became 900 ns until something cleared the marks. [Clear] does. The functions of this package
// are those of package math behind a Clear, which costs 1 to 2 ns; in other builds they are package math's own.
package vectorstate

import "math"

// Exp is [math.Exp].
func Exp(x float64) float64 {
	Clear()
	return math.Exp(x)
}

// Erfc is [math.Erfc], which calls Exp.
func Erfc(x float64) float64 {
	Clear()
	return math.Erfc(x)
}

// Erf is [math.Erf], which calls Exp.
func Erf(x float64) float64 {
	Clear()
	return math.Erf(x)
}

// Pow is [math.Pow], which calls Exp.
func Pow(x, y float64) float64 {
	Clear()
	return math.Pow(x, y)
}
