//go:build !(goexperiment.simd && amd64 && unix)

package main

// withoutPreemption does nothing in builds where preemption costs nothing.
func withoutPreemption() {}
