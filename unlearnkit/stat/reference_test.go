package stat

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// alternativeNamed maps the names in fixtures to alternatives.
var alternativeNamed = map[string]Alternative{"": TwoSided, "two-sided": TwoSided, "less": Less, "greater": Greater}

// number is a float64 that JSON may hold as "inf", "-inf" or "nan".
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"inf"`:
		*n = number(math.Inf(1))
	case `"-inf"`:
		*n = number(math.Inf(-1))
	case `"nan"`, "null":
		*n = number(math.NaN())
	default:
		return json.Unmarshal(b, (*float64)(n))
	}
	return nil
}

// readFixture reads a file of reference values.
func readFixture(t *testing.T, file string, into any) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// reporter has the methods that *testing.T and *rapid.T share.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// closeTo fails the test unless got is within a relative tolerance of want.
func closeTo(t reporter, what string, got, want, tolerance float64) {
	t.Helper()
	if got != want && !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s = %.17g, want %.17g (relative error %.2g)", what, got, want, math.Abs(got/want-1))
	}
}

// closeToOrLost works like closeTo, but NaN equals NaN, and all values below 1e-305 are equal, because they have lost
// digits.
func closeToOrLost(t reporter, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) && math.IsNaN(want) || math.Abs(got) < 1e-305 && math.Abs(want) < 1e-305 {
		return
	}
	closeTo(t, what, got, want, tolerance)
}

// near fails the test unless got is within tolerance of want, absolute or, if want exceeds 1, relative.
func near(t reporter, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.17g, want %.17g (tolerance %g)", what, got, want, tolerance)
	}
}
