package stat

import (
	"encoding/binary"
	"math"
	"testing"
)

// rankFuzzSample converts bytes to floats. About one float in four is a small integer; the others are any eight bytes.
func rankFuzzSample(data []byte) (x []float64) {
	for len(data) > 0 {
		if data[0]%4 == 0 || len(data) < 9 {
			x, data = append(x, float64(int8(data[0])/16)), data[1:]
			continue
		}
		x, data = append(x, math.Float64frombits(binary.LittleEndian.Uint64(data[1:]))), data[9:]
	}
	return x
}

func rankCheckResult(t *testing.T, r Result) {
	t.Helper()
	undefined := r.Warnings&(WarnEmpty|WarnNaN|WarnInf|WarnTooFew|WarnBadParameter) != 0
	if math.IsNaN(r.P) != undefined || r.P < 0 || r.P > 1 {
		t.Errorf("%s: P = %g with warnings %q", r.Test, r.P, r.Warnings)
	}
	if r.Method != Exact && r.Method != Asymptotic {
		t.Errorf("%s: method %v", r.Test, r.Method)
	}
}

func rankFuzzSeeds(f *testing.F) {
	f.Add([]byte{}, []byte{}, byte(0))
	f.Add([]byte{16, 32, 48, 64}, []byte{16, 16, 48, 0}, byte(1))
	// a NaN
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f, 16}, []byte{16, 32}, byte(2))
	// +Inf and −Inf
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f, 16}, []byte{1, 0, 0, 0, 0, 0, 0, 0xf0, 0xff, 32}, byte(7))
	// a denormal and the largest finite number
	f.Add([]byte{1, 1, 0, 0, 0, 0, 0, 0, 0, 16}, []byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xef, 255}, byte(13))
}

func FuzzRankTests(f *testing.F) {
	rankFuzzSeeds(f)
	f.Fuzz(func(t *testing.T, a, b []byte, settings byte) {
		if len(a)+len(b) > 300 {
			return // exact distributions become too large
		}
		x, y := rankFuzzSample(a), rankFuzzSample(b)
		opts := []Option{Alternative(settings % 3), Method(settings / 3 % 4), ZeroMethod(settings / 12 % 3),
			TieAware(settings >= 128), Correction(settings%2 == 0)}
		rankCheckResult(t, MannWhitney(x, y, opts...).Result)
		rankCheckResult(t, KS2(x, y, opts...).Result)
		n := min(len(x), len(y))
		rankCheckResult(t, Wilcoxon(x[:n], y[:n], opts...).Result)
		rankCheckResult(t, WilcoxonDifferences(x, opts...).Result)
		rankCheckResult(t, Sign(x[:n], y[:n], opts...).Result)
		rankCheckResult(t, KS1(x, math.Abs, opts...).Result)
		rankCheckResult(t, KS1(x, func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }, opts...).Result)
		rankCheckResult(t, Friedman([][]float64{x[:n], y[:n], x[:n]}, opts...).Result)
	})
}

func FuzzKolmogorovLaws(f *testing.F) {
	f.Add(.1, 100, 80)
	f.Add(.5, 1, 1)
	f.Add(math.NaN(), 3, 0)
	f.Add(1e-300, 140, 141)
	f.Fuzz(func(t *testing.T, d float64, n1, n2 int) {
		if n1 > 3000 || n2 > 3000 {
			return
		}
		undefined := math.IsNaN(d) || n1 < 1
		for name, p := range map[string]float64{"KolmogorovSF": KolmogorovSF(d, n1), "SmirnovSF": SmirnovSF(d, n1)} {
			if math.IsNaN(p) != undefined || p < 0 || p > 1 {
				t.Errorf("got %s(%g, %d) = %g, want math.IsNaN(p) %v, p at least 0, p at most 1",
					name, d, n1, p, undefined)
			}
		}
		for _, a := range []Alternative{TwoSided, Less} {
			if p := KS2P(d, n1, n2, a); math.IsNaN(p) != (undefined || n2 < 1) || p < 0 || p > 1 {
				t.Errorf("KS2P(%g, %d, %d, %v) = %g", d, n1, n2, a, p)
			}
		}
	})
}
