package kernelext

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestExercise_Grid(t *testing.T) {
	tests := []struct {
		truth  any
		grid   float64
		answer any
		right  bool
	}{
		{.0449, .001, .0449, true},
		{.0449, .001, .0451, true},
		{.0449, .001, float32(.045), true},
		{.0449, .001, "0.045", true},
		{.0449, .001, .047, false},
		{.0449, .001, -.045, false},
		{12, 1, 12, true},
		{12, 1, uint8(12), true},
		{12, 1, 13, false},
		{0, .01, math.Copysign(0, -1), true},
		{"Not Derivable", 0, "not  derivable ", true},
		{"Not Derivable", 0, "derivable", false},
		{true, 0, true, true},
		{true, 0, false, false},
	}
	for _, test := range tests {
		e, err := NewExercise("a/b", test.truth, test.grid, "think")
		if err != nil {
			t.Fatal(err)
		}
		if right, err := e.Right(test.answer); err != nil || right != test.right {
			t.Errorf("%v within %v, answered %v: right %v, %v", test.truth, test.grid, test.answer, right, err)
		}
	}
}

func TestExercise_HidesAnswer(t *testing.T) {
	first, err := NewExercise("a/b", "harmonic mean", 0, "think")
	if err != nil {
		t.Fatal(err)
	}
	second, err := NewExercise("a/b", "harmonic mean", 0, "think")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(first)
	if err != nil || bytes.Contains(text, []byte("harmonic")) {
		t.Errorf(`got %s, %v, want bytes.Contains(text, []byte("harmonic")) false`, text, err)
	}
	if first.Hash == second.Hash {
		t.Error("the same answer has the same hash twice: it could be looked up")
	}
	moved := first
	moved.Name = "a/c"
	if right, _ := moved.Right("harmonic mean"); right {
		t.Error("a hash works under another exercise's name")
	}
}

func TestNewExercise_Refused(t *testing.T) {
	for name, attempt := range map[string]func() error{
		"words on a grid": func() error { _, err := NewExercise("x", "many", .1, ""); return err },
		"a negative grid": func() error { _, err := NewExercise("x", 1, -1, ""); return err },
		"not a number":    func() error { _, err := NewExercise("x", math.NaN(), 1, ""); return err },
		"an answer of the wrong kind": func() error {
			e, err := NewExercise("x", 1, 1, "")
			if err != nil {
				t.Fatal(err)
			}
			_, err = e.Right("many")
			return err
		},
	} {
		if err := attempt(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A wrong answer shows a hint and does not end the program.
func TestCheck_WrongAnswer(t *testing.T) {
	e, err := NewExercise("test/mean", 2.5, .1, "Add them, divide.")
	if err != nil {
		t.Fatal(err)
	}
	exercises()["test/mean"] = e
	defer delete(exercises(), "test/mean")
	for answer, want := range map[any]string{
		2.5: "✓ test/mean: right.\n",
		3.0: "✗ test/mean: not yet. Add them, divide.\n",
		2: "✗ test/mean: not yet. The answer is the whole number 2: in Go 1/4 is 0, because both are whole; " +
			"write 1.0/4. Add them, divide.\n",
		"many": "? test/mean: the answer is a number, not many\n",
		0.0:    "– test/mean: not answered yet. A number; in Go 1/4 is 0, so write 1.0/4.\n",
		"":     "– test/mean: not answered yet. A number; in Go 1/4 is 0, so write 1.0/4.\n",
	} {
		if got, status := printed(t, func() { Check("test/mean", answer) }); got != want || status != 0 {
			t.Errorf("%v: status %d, %q", answer, status, got)
		}
	}
}

func TestExercises_ShippedComplete(t *testing.T) {
	for name, e := range exercises() {
		notebook, short, ok := strings.Cut(name, "/")
		if !ok || notebook == "" || short == "" || e.Hint == "" || len(e.Hash) != 64 || len(e.Salt) != 32 {
			t.Errorf("exercise %+v", e)
		}
	}
}
