package launcher

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func goRoot(t *testing.T) string {
	t.Helper()
	output, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(output))
}

func TestStandard_Typo(t *testing.T) {
	text := errorText{root: goRoot(t)}
	entry := func(line int, code, caret, message string) string {
		return fmt.Sprintf("Cell[3]: Line %d\n%s\n%s^\n\n%s", line, code, caret, message)
	}
	tests := []struct {
		name    string
		entries []string
		want    string
	}{
		{"a misspelt function hides the import of right ones", []string{
			entry(2, "\tfmt.Println(1)", " ", "undefined: fmt"), entry(3, "\tfmt.Prinln(2)", " ", "undefined: fmt")},
			"Cell [3] line 3: undefined: fmt.Prinln; did you mean fmt.Println?"},
		{"another package", []string{entry(2, "x := math.Sqr(2)", "     ", "undefined: math")},
			"Cell [3] line 2: undefined: math.Sqr; did you mean math.Sqrt?"},
		{"a package that is imported", []string{entry(2, "fmt.Prinln(2)", "    ", "undefined: fmt.Prinln")},
			"Cell [3] line 2: undefined: fmt.Prinln; did you mean fmt.Println?"},
		{"a package of the project", []string{entry(2, "stat.Wilcoxn(2)", "     ", "undefined: stat.Wilcoxn")},
			"Cell [3] line 2: undefined: stat.Wilcoxn"},
		{"the right name alone", []string{entry(2, "x := math.Sqrt(2)", "     ", "undefined: math")},
			"Cell [3] line 2: undefined: math"},
		{"a name that is nowhere near", []string{entry(2, "math.Qwertyuiop()", "", "undefined: math")},
			"Cell [3] line 2: undefined: math.Qwertyuiop; package math has no such name"},
		{"a variable", []string{entry(2, "y := undefinedName", "     ", "undefined: undefinedName")},
			"Cell [3] line 2: undefined: undefinedName"},
		{"two packages of one name", []string{entry(2, "rand.IntN(3)", "", "undefined: rand")},
			"Cell [3] line 2: undefined: rand"},
	}
	for _, test := range tests {
		if got := text.buildBox(failure{Traceback: test.entries}).Value; got != test.want {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}

func TestStandard_Folder(t *testing.T) {
	std := standard{goRoot(t)}
	if paths := std.packages()["rand"]; !slices.Contains(paths, "math/rand/v2") ||
		!slices.Contains(paths, "crypto/rand") {
		t.Errorf("rand is %v", paths)
	}
	if len((standard{}).packages()) != 0 {
		t.Error("an unknown folder has packages")
	}
}
