//go:build goexperiment.simd && go1.27

// GoMLX's vector instructions need GOEXPERIMENT=simd of Go 1.26; later versions have other types. Because of this
// file's package name the go command stops with one line that says what to set, before it compiles anything.
package set_GOTOOLCHAIN_go1_26_8_or_leave_out_GOEXPERIMENT_simd
