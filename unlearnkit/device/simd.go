//go:build goexperiment.simd && amd64

package device

import (
	"os"
	"simd/archsimd"
	"strings"
)

// SIMD returns the instructions of the pure Go device's matrix products: "avx512", "avx2" or "none". Results are
// bit-identical only under the same instructions.
func SIMD() string {
	switch {
	case archsimd.X86.AVX512() && allowed("GOMLX_SIMD_AVX512"):
		return "avx512"
	case archsimd.X86.AVX2() && allowed("GOMLX_SIMD_AVX2"):
		return "avx2"
	}
	return "none"
}

// allowed reads a GoMLX switch from the environment as GoMLX does.
func allowed(variable string) bool {
	switch strings.ToLower(os.Getenv(variable)) {
	case "0", "false", "f", "no", "off", "disabled":
		return false
	}
	return true
}
