// Package vectorstate keeps math.Exp fast in programs built with GOEXPERIMENT=simd.
//
// In such a build, the runtime saves and restores the wide vector registers of a preempted goroutine, and leaves their
// upper halves marked as used. From then on, each switch between the old and the new encoding of scalar instructions
// costs about a hundred nanoseconds, and math.Exp switches several times per call on amd64. A call then took 900 ns
// instead of 5 ns until something cleared the marks, as [Clear] does. The other functions of this package call Clear,
// which costs 1 to 2 ns, and then package math; in other builds they only call package math.
package vectorstate

import "math"

// Exp calls [math.Exp].
func Exp(x float64) float64 {
	Clear()
	return math.Exp(x)
}

// Erfc calls [math.Erfc], which calls Exp.
func Erfc(x float64) float64 {
	Clear()
	return math.Erfc(x)
}

// Erf calls [math.Erf], which calls Exp.
func Erf(x float64) float64 {
	Clear()
	return math.Erf(x)
}

// Pow calls [math.Pow], which calls Exp.
func Pow(x, y float64) float64 {
	Clear()
	return math.Pow(x, y)
}
