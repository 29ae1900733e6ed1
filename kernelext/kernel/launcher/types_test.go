package launcher

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// newTestChecker returns a checker that compiles packages of this module.
func newTestChecker(t *testing.T) *checker {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	module := filepath.Join(folder, "gonb_1")
	if err := os.Mkdir(module, 0o700); err != nil {
		t.Fatal(err)
	}
	language := "go " + requiredVersion(filepath.Join(root, "go.mod"), "go") + "\n"
	for name, text := range map[string]string{"go.mod": "module gonb_1\n\n" + language,
		"go.work": language + "\nuse (\n\t.\n\t" + root + "\n)\n"} {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	flags, err := exec.Command("go", "env", "GOFLAGS").Output()
	if err != nil {
		t.Fatal(err)
	}
	kept, _ := WorkspaceFlags(string(flags))
	return newChecker(folder, append(os.Environ(), "GOFLAGS="+kept))
}

func TestChecker_Form(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: asks the go command")
	}
	c := newTestChecker(t)
	preloaded := map[string]string{"kx": Module + "/kernelext", "stat": Module + "/unlearnkit/stat"}
	var p program
	p.add("func double(x int) int { return 2 * x }\nfunc nothing() {}\ntype Pair struct{ A, B int }\nvar pairs []Pair\n" +
		"func (p Pair) Sum() int { return p.A + p.B }\nfunc (p Pair) Clear() {}")
	none := form{}
	for code, want := range map[string]form{
		"1 + 1":                                plain,
		"%%\nx := 3\nx":                        plain,
		"double(4)":                            plain,
		"nothing()":                            none,
		"pairs":                                rich,
		"Pair{1, 2}.Sum()":                     plain,
		"Pair{1, 2}.Clear()":                   none,
		"func() {}()":                          none,
		"func() int { return 1 }()":            plain,
		"stat.Wilcoxon([]float64{1}, nil)":     plain, // a test result prints its sentence
		"&stat.WilcoxonResult{}":               plain,
		"kx.Table(pairs)":                      none,
		"kx.ReadCSV(\"a.csv\")":                rich,
		"kx.Progress(1, \"\").Done()":          none,
		"os.Remove(\"a\")":                     failing,
		"strconv.Atoi(\"1\")":                  rich,
		"var b strings.Builder\nb.Write(nil)":  none, // a byte count is not shown
		"fmt.Fprintf(os.Stdout, \"\")":         none,
		"strings.Fields(\"a b\")":              plain,
		"time.Second":                          plain,
		"len(\"abc\")":                         plain,
		"float64(3)":                           plain,
		"panic(1)":                             none,
		"fmt := 3\nfmt":                        rich,
		"undefined()":                          none,
		"elsewhere.Call()":                     none,
		"slices.Max([]int{1, 2})":              plain,
		"map[string][]int{\"a\": {1}}":         plain,
		"errors.New(\"a\")":                    failing,
		"image.NewGray(image.Rect(0,0,1,1))":   rich,
		"%unlearn table unslu 1\nstat.Version": none,
	} {
		cell, others := p.files(strings.Split(code, "\n"), preloaded, standard{goRoot(t)})
		if got, found := c.form(t.Context(), cell, others); got != want || found != (want != none) {
			t.Errorf("%s: got %+v, %t, want %+v", code, got, found, want)
		}
	}
}
