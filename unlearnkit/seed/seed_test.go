package seed

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func ExampleStream() {
	first := Stream(42, "salmu", "shuffle", "epoch", 3)
	again := Stream(42, "salmu", "shuffle", "epoch", 3)
	other := Stream(42, "salmu", "shuffle", "epoch", 4)
	a, b, c := first.Perm(6), again.Perm(6), other.Perm(6)
	fmt.Println(a)
	fmt.Println(b)
	fmt.Println(c)
	// Output:
	// [0 2 5 1 3 4]
	// [0 2 5 1 3 4]
	// [4 0 1 2 3 5]
}

func TestStream_DistinctPaths(t *testing.T) {
	paths := [][]any{
		nil, {""}, {"", ""}, {"ab", "c"}, {"a", "bc"}, {"abc"}, {1}, {"1"}, {uint64(1)}, {true}, {false}, {0}, {-1},
		{"a", 1}, {1, "a"},
	}
	seen := map[[32]byte][]any{}
	for _, path := range paths {
		key := Key(7, path...)
		if before, ok := seen[key]; ok {
			t.Errorf("%v and %v share a key", before, path)
		}
		seen[key] = path
	}
	if Key(1, "a") == Key(2, "a") {
		t.Error("the root does not count")
	}
}

func TestStream_NamesAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := rapid.Uint64().Draw(t, "root")
		name := rapid.String().Draw(t, "name")
		number := rapid.Int().Draw(t, "number")
		want := Stream(root, name, number).Uint64()
		Stream(root, "another", name).Uint64()
		if got := Stream(root, name, int64(number)).Uint64(); got != want {
			t.Fatalf("%d then %d", want, got)
		}
	})
}

func TestStream_Uniform(t *testing.T) {
	const n = 20000
	a, b := Stream(1, "a"), Stream(1, "b")
	var sum, product float64
	for range n {
		x, y := a.Float64()-.5, b.Float64()-.5
		sum += x
		product += x * y
	}
	// Allow five standard errors. A uniform number has variance 1/12, and the product of two independent ones 1/144.
	if mean := sum / n; mean*mean > 25./12/n {
		t.Errorf("mean is off by %g", mean)
	}
	if covariance := product / n; covariance*covariance > 25./144/n {
		t.Errorf("covariance %g", covariance)
	}
}

func TestKey_Panics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a float was taken as a name")
		}
	}()
	Key(1, 1.5)
}

// The key of the documented encoding, computed with Python's hashlib: its bytes are part of the format of stored
// results.
func TestKey_Encoding(t *testing.T) {
	const want = "7340d0664a00908935cef11e527895d1b44418c2c502ef5d76ca7e6aac748235"
	if got := fmt.Sprintf("%x", Key(42, "salmu", "shuffle", "epoch", 3, true)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
