//go:build goexperiment.simd

package unlearntest

const built = ""
