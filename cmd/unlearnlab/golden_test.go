package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

var regenerate = flag.Bool("regen", false, "write the golden data and tables in testdata anew")

// inLibrary says how a test draws a figure of the study, and inCell how a cell does.
var (
	inLibrary = map[string]func(r *salmu.Results) (*plots.Figure, error){
		"6": func(r *salmu.Results) (*plots.Figure, error) { return plots.SalmuGap(r.Gap(false)) },
		"7": func(r *salmu.Results) (*plots.Figure, error) { return plots.SalmuGap(r.Gap(true)) },
		"8": func(r *salmu.Results) (*plots.Figure, error) { return plots.SalmuRates(r.Sensitivity(), len(r.Worlds)) },
		"budgets": func(r *salmu.Results) (*plots.Figure, error) {
			return plots.SalmuBudgets(r.Trajectories("RetFail", "AssocStr", "GenKnow", "IntraIdSim"), len(r.Worlds))
		},
		"sizes": func(r *salmu.Results) (*plots.Figure, error) { return plots.SalmuCosts(r.Costs()) },
	}
	inCell = map[string]string{
		"6":       "plots.SalmuGap(r.Gap(false))",
		"7":       "plots.SalmuGap(r.Gap(true))",
		"8":       "plots.SalmuRates(r.Sensitivity(), len(r.Worlds))",
		"budgets": `plots.SalmuBudgets(r.Trajectories("RetFail", "AssocStr", "GenKnow", "IntraIdSim"), len(r.Worlds))`,
		"sizes":   "plots.SalmuCosts(r.Costs())",
	}
)

func TestFiguresAndTablesAreTheSameBytesFromTheCommandACellAndATest(t *testing.T) {
	home, out := madeUpHome(t), t.TempDir()
	r, err := salmu.Open(home, "smoke")
	if err != nil {
		t.Fatal(err)
	}
	succeed(t, "figures", "salmu", "--home", home, "--format", "png", "--out", out)
	var cell strings.Builder
	drawn := map[string]string{} // pictures by the names under which the cell leaves them
	var printed []string         // what the cell has to print
	for i, d := range drawingsOf("salmu") {
		if inLibrary[d.name] == nil {
			t.Fatalf("this test does not know how a cell draws figure %s", d.name)
		}
		figure, err := inLibrary[d.name](r)
		if err != nil {
			t.Fatal(err)
		}
		picture, _, _, err := figure.PNG(2)
		if err != nil {
			t.Fatal(err)
		}
		if drawn[fmt.Sprintf("figure-%d.png", i+1)] = string(picture); read(t, filepath.Join(out, "salmu", "figure"+d.name+".png")) != string(picture) {
			t.Errorf("figure %s: the command draws another picture", d.name)
		}
		data := succeed(t, "figures", "salmu", d.name, "--home", home, "--data")
		if data != indented(t, figure.Data()) {
			t.Errorf("figure %s: the command prints other numbers", d.name)
		}
		golden(t, "figure"+d.name+".json", data, sameNumbers)
		printed = append(printed, data)
		fmt.Fprintf(&cell, "\tfigure = kx.Must(%s)\n\tkx.Figure(figure)\n\tprint(figure.Data())\n", inCell[d.name])
	}
	for _, number := range salmu.TableNumbers {
		for _, certified := range []bool{false, true} {
			table, err := r.Table(number, certified)
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			if err := table.Text(&text); err != nil {
				t.Fatal(err)
			}
			if shown := succeed(t, "table", "salmu", number, "--home", home, fmt.Sprintf("--certified=%v", certified)); shown != text.String() {
				t.Errorf("table %s: the command prints\n%s", number, shown)
			}
			golden(t, "table"+number+map[bool]string{false: "", true: "-certified"}[certified]+".txt", text.String(), sameBytes)
			printed = append(printed, text.String())
			fmt.Fprintf(&cell, "\tkx.Table(kx.Must(r.Table(%q, %v)))\n", number, certified)
		}
	}
	shown, pictures := runCell(t, home, cell.String())
	for _, want := range printed {
		if !strings.Contains(shown, want) {
			t.Errorf("the cell does not print\n%s", want)
		}
	}
	for name, picture := range drawn {
		if read(t, filepath.Join(pictures, name)) != picture {
			t.Errorf("%s: the cell draws another picture", name)
		}
	}
}

// runCell runs a program as gonb makes it of a cell and returns what it prints and the folder with its pictures.
func runCell(t *testing.T, home, body string) (shown, pictures string) {
	t.Helper()
	program := file(t, "cell.go", `package main

import (
	"encoding/json"
	"os"

	kx "github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu"
)

func print(data any) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	kx.Must(data, encoder.Encode(data))
}

func main() {
	lab := kx.Lab()
	r := kx.Must(salmu.Open(lab.Home.Value, lab.Preset.Value))
	var figure *plots.Figure
`+body+"}\n")
	pictures = t.TempDir()
	c := exec.CommandContext(t.Context(), "go", "run", program)
	c.Dir = "../.."
	c.Env = append(os.Environ(), store.HomeVariable+"="+home, kernelext.PresetVariable+"=smoke", kernelext.FiguresVariable+"="+pictures)
	c.Stderr = os.Stderr
	output, err := c.Output()
	if err != nil {
		t.Fatalf("the cell: %v\n%s", err, output)
	}
	return string(output), pictures
}

func succeed(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := command(args...)
	if code != exitDone || stderr != "" {
		t.Fatalf("%v: exit %d\n%s", args, code, stderr)
	}
	return stdout
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func indented(t *testing.T, value any) string {
	t.Helper()
	var text strings.Builder
	if err := writeJSON(&text, value); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// golden compares with a file of testdata/salmu.
func golden(t *testing.T, name, got string, same func(want, got string) bool) {
	t.Helper()
	path := filepath.Join("testdata", "salmu", name)
	if *regenerate {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, path); !same(want, got) {
		t.Errorf("%s has changed; if it should, go test ./cmd/unlearnlab -run SameBytes -regen. It is now\n%s", path, got)
	}
}

func sameBytes(want, got string) bool { return want == got }

// sameNumbers lets numbers differ by what processors round otherwise.
func sameNumbers(want, got string) bool {
	var a, b any
	return json.Unmarshal([]byte(want), &a) == nil && json.Unmarshal([]byte(got), &b) == nil && near(a, b)
}

func near(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, is := b.(float64)
		return is && math.Abs(a-b) <= 1e-9*max(1, math.Abs(a))
	case []any:
		b, is := b.([]any)
		same := is && len(a) == len(b)
		for i := 0; same && i < len(a); i++ {
			same = near(a[i], b[i])
		}
		return same
	case map[string]any:
		b, is := b.(map[string]any)
		same := is && len(a) == len(b)
		for key := range a {
			same = same && near(a[key], b[key])
		}
		return same
	}
	return a == b
}
