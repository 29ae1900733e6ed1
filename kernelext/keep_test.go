package kernelext

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/internal/valuestore"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func TestKeep_MadeOnce(t *testing.T) {
	t.Setenv(store.HomeVariable, t.TempDir())
	type run struct {
		Name   string
		Scores []float64
		At     time.Time
		By     map[string]int
		Next   *run
	}
	calls := 0
	get := func() run {
		return Keep("runs", func() run {
			calls++
			return run{"a", []float64{1, 2.5}, time.Unix(5, 0).UTC(), map[string]int{"x": 3}, &run{Name: "b"}}
		})
	}
	first, second := get(), get()
	if calls != 1 || second.Scores[1] != 2.5 || !second.At.Equal(first.At) || second.By["x"] != 3 ||
		second.Next.Name != "b" {
		t.Errorf("made %d times: %+v", calls, second)
	}
}

func TestKeep_OtherType(t *testing.T) {
	t.Setenv(store.HomeVariable, t.TempDir())
	if got := Keep("x", func() int { return 3 }); got != 3 {
		t.Errorf("got %v, want 3", got)
	}
	if got := Keep("x", func() float64 { return 4 }); got != 4 {
		t.Errorf("got %v, want 4", got)
	}
}

func TestKeep_Damaged(t *testing.T) {
	home := t.TempDir()
	t.Setenv(store.HomeVariable, home)
	get := func() []string { return Keep("words", func() []string { return []string{"a"} }) }
	get()
	files, err := filepath.Glob(valuestore.Folder(home) + "/*")
	if err != nil || len(files) != 1 {
		t.Fatalf("got %v, %v, want 1 files", files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(files[0], info.Size()-2); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := get(); len(got) != 1 || got[0] != "a" {
			t.Errorf(`got %q, want length 1, [0] "a"`, got)
		}
	}
}

// Types that gob cannot restore are rejected.
func TestKeep_Refused(t *testing.T) {
	t.Setenv(store.HomeVariable, t.TempDir())
	type hidden struct{ secret int }
	tests := []struct {
		keep func()
		want string
	}{
		{func() { Keep("x", func() hidden { return hidden{1} }) }, "the field secret of kernelext.hidden"},
		{func() { Keep("x", func() []error { return nil }) }, "the interface error"},
		{func() { Keep("x", func() map[string]func() { return nil }) }, "a func() cannot be kept"},
	}
	for _, test := range tests {
		if got := problem(t, test.keep); !strings.Contains(got, test.want) {
			t.Errorf("%q does not say %q", got, test.want)
		}
	}
}

// program is a cell's program. Tests change LITERAL and what it uses.
const program = `package main

import kx "lab/kernelext"

const size = 3

type row struct{ X int }

func (r row) double() int { return 2 * r.X }

func helper(n int) int { return n + size }

func other() int { return 1 }

func main() {
	n := 5
	unrelated := 7
	value := kx.Keep("value", func() int {
		return row{helper(1)}.double()
	})
	more := kx.Keep("more", func() int { return value + n })
	_, _, _ = unrelated, value, more
}
`

// makerAt returns the output of writeMaker for the function that begins on the line with text.
func makerAt(t *testing.T, source, kept, text string) string {
	t.Helper()
	before, _, found := strings.Cut(source, text)
	if !found {
		t.Fatalf("no %q", text)
	}
	var out bytes.Buffer
	if err := writeMaker(&out, []byte(source), kept, "main.main.func1", strings.Count(before, "\n")+1); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestKeep_CodeChanged(t *testing.T) {
	tests := []struct {
		name, old, new string
		value, more    bool // whether the value is computed again
	}{
		{"the literal", "helper(1)", "helper(2)", true, true},
		{"a function that it uses", "n + size", "n - size", true, true},
		{"a constant that this uses", "size = 3", "size = 4", true, true},
		{"a method that it uses", "2 * r.X", "3 * r.X", true, true},
		{"its type", "X int", "X, Y int", true, true},
		{"a variable around it", "n := 5", "n := 6", false, true},
		{"a function that it does not use", "return 1", "return 2", false, false},
		{"what follows", "_, _, _ = unrelated", "_, _, _ = n", false, false},
		{"a comment and spaces", "return row{", "// a comment\n\n\t\treturn   row{", false, false},
	}
	for _, test := range tests {
		changed := strings.Replace(program, test.old, test.new, 1)
		for kept, want := range map[string]bool{"value": test.value, "more": test.more} {
			text := `kx.Keep("` + kept + `"`
			if got := makerAt(t, program, kept, text) != makerAt(t, changed, kept, text); got != want {
				t.Errorf("%s changes: %q is made again: %v", test.name, kept, got)
			}
		}
	}
}

func TestKeep_NamedFunction(t *testing.T) {
	var one, two bytes.Buffer
	changed := strings.Replace(program, "n := 5", "n := 6", 1)
	for out, source := range map[*bytes.Buffer]string{&one: program, &two: changed} {
		if err := writeMaker(out, []byte(source), "x", "main.helper", 11); err != nil {
			t.Fatal(err)
		}
	}
	if one.String() != two.String() || !strings.Contains(one.String(), "size") {
		t.Error("a function is what it says and uses")
	}
	if writeMaker(io.Discard, []byte(program), "x", "main.main.func9", 1) == nil {
		t.Error("a function was found where there is none")
	}
}

// problem returns the message of a call that must fail with exit code 1.
func problem(t *testing.T, call func()) string {
	t.Helper()
	said, status := printed(t, call)
	if status != 1 {
		t.Errorf("it ends with %d", status)
	}
	return said
}
