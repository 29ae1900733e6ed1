//go:build goexperiment.simd && go1.27

// GoMLX's vector instructions are those of GOEXPERIMENT=simd in Go 1.26, and have other types since. The go command
// reports that this file's package is not the folder's, in one line that says what to set, before it compiles anything.
package set_GOTOOLCHAIN_go1_26_8_or_leave_out_GOEXPERIMENT_simd
