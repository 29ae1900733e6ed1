//go:build goexperiment.simd && amd64

package device

import (
	"os"
	"simd/archsimd"
	"strings"
)

// SIMD names the instructions of the pure Go device's matrix products: "avx512", "avx2" or "none". Results are the same
// bits under the same flavour, not under another.
func SIMD() string {
	switch {
	case archsimd.X86.AVX512() && allowed("GOMLX_SIMD_AVX512"):
		return "avx512"
	case archsimd.X86.AVX2() && allowed("GOMLX_SIMD_AVX2"):
		return "avx2"
	}
	return "none"
}

// allowed reads one of GoMLX's switches as GoMLX does.
func allowed(variable string) bool {
	switch strings.ToLower(os.Getenv(variable)) {
	case "0", "false", "f", "no", "off", "disabled":
		return false
	}
	return true
}
