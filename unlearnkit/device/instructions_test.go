package device

import "testing"

func TestInstructions_Limit(t *testing.T) {
	server := []instructions{{"avx512", true}, {"avx2", true}, {"avx", true}, {"sse4_2", true}, {"neon", false}}
	laptop := []instructions{{"avx512", false}, {"avx2", true}, {"avx", true}, {"sse4_2", true}, {"neon", false}}
	arm := []instructions{{"avx512", false}, {"avx2", false}, {"avx", false}, {"sse4_2", false}, {"neon", true}}
	for _, test := range []struct {
		of    []instructions
		flags string
		want  string
	}{
		{server, "", "avx512"},
		{laptop, "", "avx2"},
		{arm, "", "neon"},
		{server, "--xla_cpu_max_isa=AVX2", "avx2"},
		{server, "--xla_cpu_enable_fast_math=false --xla_cpu_max_isa=SSE4_2", "sse4_2"},
		{server, "--xla_cpu_max_isa=AVX512_VNNI", "avx512"},
		{laptop, "--xla_cpu_max_isa=AVX512", "avx2"},
		{nil, "", "none"},
	} {
		if got := widest(test.of, test.flags); got != test.want {
			t.Errorf("%v, %q: %s, want %s", test.of, test.flags, got, test.want)
		}
	}
	if got := (&Device{name: "go"}).Instructions(); got != SIMD() {
		t.Errorf("pure Go: %s", got)
	}
	if got := (&Device{name: "go:plain"}).Instructions(); got != "none" {
		t.Errorf("plain: %s", got)
	}
}
