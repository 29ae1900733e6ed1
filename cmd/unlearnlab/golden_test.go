package main

import (
	"encoding/json"
	"errors"
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
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/studies"
)

var regenerate = flag.Bool("regen", false, "write the golden data and tables in testdata anew")

// madeTwice is how a test and a cell make what the command makes of a study.
type madeTwice struct {
	library map[string]func(r bench.Results) (*plots.Figure, error) // figures by name
	cell    map[string]string                                       // the same in a cell
}

var twice = map[string]madeTwice{
	"salmu": {
		library: map[string]func(r bench.Results) (*plots.Figure, error){
			"6": func(r bench.Results) (*plots.Figure, error) { return plots.SalmuGap(r.(*salmu.Results).Gap(false)) },
			"7": func(r bench.Results) (*plots.Figure, error) { return plots.SalmuGap(r.(*salmu.Results).Gap(true)) },
			"8": func(r bench.Results) (*plots.Figure, error) {
				return plots.SalmuRates(r.(*salmu.Results).Sensitivity(), r.Seeds())
			},
			"budgets": func(r bench.Results) (*plots.Figure, error) {
				return plots.SalmuBudgets(r.(*salmu.Results).Trajectories("RetFail", "AssocStr", "GenKnow",
					"IntraIdSim"), r.Seeds())
			},
			"sizes": func(r bench.Results) (*plots.Figure, error) { return plots.SalmuCosts(r.(*salmu.Results).Costs()) },
		},
		cell: map[string]string{
			"6": "plots.SalmuGap(r.Gap(false))",
			"7": "plots.SalmuGap(r.Gap(true))",
			"8": "plots.SalmuRates(r.Sensitivity(), len(r.Worlds))",
			"budgets": `plots.SalmuBudgets(r.Trajectories("RetFail", "AssocStr", "GenKnow", "IntraIdSim"), ` +
				`len(r.Worlds))`,
			"sizes": "plots.SalmuCosts(r.Costs())",
		},
	},
	"concealment": {
		library: map[string]func(r bench.Results) (*plots.Figure, error){
			"1": numbered(1), "2": numbered(2), "7": numbered(7), "11": numbered(11),
			"accuracy": ofConcealment(drawAccuracy),
			"recovery": ofConcealment(drawRecovery),
			"crs":      func(bench.Results) (*plots.Figure, error) { return drawCRS(nil) },
		},
		cell: map[string]string{
			"1": "plots.ConcealmentFigure(r, 1)", "2": "plots.ConcealmentFigure(r, 2)",
			"7": "plots.ConcealmentFigure(r, 7)", "11": "plots.ConcealmentFigure(r, 11)",
			"accuracy": "plots.ConcealmentAccuracy(r.Accuracies(), r.Gate())",
			"recovery": "plots.ConcealmentRecovery(r.Recoveries(), r.Seeds())",
			"crs":      "plots.CRSRange(kx.Must(audit.CRSValues()), .7)",
		},
	},
}

func numbered(figure int) func(r bench.Results) (*plots.Figure, error) {
	return ofConcealment(func(r *concealment.Results) (*plots.Figure, error) {
		return plots.ConcealmentFigure(r, figure)
	})
}

func TestFiguresAndTablesAreTheSameBytesFromTheCommandACellAndATest(t *testing.T) {
	for _, e := range studies.All {
		t.Run(e.Paper(), func(t *testing.T) { sameFromAll(t, e, twice[e.Paper()]) })
	}
}

func sameFromAll(t *testing.T, e bench.Study, by madeTwice) {
	home, out := madeUpHome(t, e), t.TempDir()
	r, err := bench.Open(e, home, "smoke")
	if err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := command("figures", e.Paper(), "--home", home, "--format", "png", "--out",
		out); code != exitDone {
		t.Fatal(stderr)
	}
	s := sameness{T: t, paper: e.Paper(), home: home, drawn: map[string]string{}}
	for _, d := range drawingsOf(e.Paper(), drawings) {
		path := filepath.Join(out, e.Paper(), "figure"+d.name+".png")
		if by.library[d.name] != nil {
			figure, err := by.library[d.name](r)
			s.figure(d.name, by.cell[d.name], path, figure, err)
		} else if _, err := os.Stat(path); err == nil {
			t.Fatalf("this test does not know how a cell draws figure %s", d.name)
		}
	}
	for _, item := range e.Tables() {
		number := item.Name
		for _, certified := range []bool{false, true} {
			table, err := r.Table(number, certified)
			name := number + map[bool]string{false: "", true: "-certified"}[certified]
			s.table(name, fmt.Sprintf("kx.Must(r.Table(%q, %v))", number, certified), table, err, number,
				fmt.Sprintf("--certified=%v", certified))
		}
	}
	for _, f := range e.Further() {
		inCell := map[string]string{"verdicts": "r.VerdictTable()", "settings": "kx.Must(r.SettingTable())"}[f.Name]
		if number, is := strings.CutPrefix(f.Name, "readings"); is {
			inCell = fmt.Sprintf("kx.Must(r.Variants(%q))", number)
		}
		table, err := r.Table(f.Name, false)
		s.table(f.Name, inCell, table, err, f.Name)
	}
	s.fromTheCell()
}

// sameness compares what the library makes with what the command makes, and gathers what a cell has to make.
type sameness struct {
	*testing.T
	paper, home string
	cell        strings.Builder
	drawn       map[string]string // pictures by the names under which the cell leaves them
	printed     []string          // what the cell has to print
}

// figure takes one that the library drew; the command's picture lies at the path.
func (s *sameness) figure(name, inCell, path string, figure *plots.Figure, err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
	picture, _, _, err := figure.PNG(2)
	if err != nil {
		s.Fatal(err)
	}
	if s.drawn[fmt.Sprintf("figure-%d.png", len(s.drawn)+1)] = string(picture); read(s.T, path) != string(picture) {
		s.Errorf("figure %s: the command draws another picture", name)
	}
	data := succeed(s.T, "figures", s.paper, name, "--home", s.home, "--data")
	if data != indented(s.T, figure.Data()) {
		s.Errorf("figure %s: the command prints other numbers", name)
	}
	golden(s.T, s.paper, "figure"+name+".json", data, sameNumbers)
	s.printed = append(s.printed, data)
	fmt.Fprintf(&s.cell, "\tfigure = kx.Must(%s)\n\tkx.Figure(figure)\n\tprint(figure.Data())\n", inCell)
}

// table takes one that the library made, or why it made none, which is what the command has to say too.
func (s *sameness) table(name, inCell string, table *report.Table, err error, arguments ...string) {
	s.Helper()
	arguments = append([]string{"table", s.paper, "--home", s.home}, arguments...)
	if missing := new(bench.Lacks); errors.As(err, &missing) {
		refused(s.T, exitFailed, missing.Error(), arguments...)
		return
	} else if err != nil {
		s.Fatal(err)
	}
	var text strings.Builder
	if err := table.Text(&text); err != nil {
		s.Fatal(err)
	}
	if code, shown, _ := command(arguments...); code != exitDone || shown != text.String() {
		s.Errorf("table %s: the command prints\n%s", name, shown)
	}
	golden(s.T, s.paper, "table"+name+".txt", text.String(), sameBytes)
	s.printed = append(s.printed, text.String())
	fmt.Fprintf(&s.cell, "\tkx.Table(%s)\n", inCell)
}

func (s *sameness) fromTheCell() {
	shown, pictures := runCell(s.T, s.paper, s.home, s.cell.String())
	for _, want := range s.printed {
		if !strings.Contains(shown, want) {
			s.Errorf("the cell does not print\n%s", want)
		}
	}
	for name, picture := range s.drawn {
		if read(s.T, filepath.Join(pictures, name)) != picture {
			s.Errorf("%s: the cell draws another picture", name)
		}
	}
}

// runCell runs a program as gonb makes it of a cell and returns what it prints and the folder with its pictures.
func runCell(t *testing.T, paper, home, body string) (shown, pictures string) {
	t.Helper()
	program := file(t, "cell.go", `package main

import (
	"encoding/json"
	"os"

	kx "github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/`+paper+`"
)

var _ = audit.CRSValues

func print(data any) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	kx.Must(data, encoder.Encode(data))
}

func main() {
	lab := kx.Lab()
	r := kx.Must(`+paper+`.Open(lab.Home.Value, lab.Preset.Value))
	var figure *plots.Figure
`+body+"}\n")
	pictures = t.TempDir()
	c := exec.CommandContext(t.Context(), "go", "run", program)
	c.Dir = "../.."
	c.Env = append(os.Environ(), store.HomeVariable+"="+home, kernelext.PresetVariable+"=smoke",
		kernelext.FiguresVariable+"="+pictures)
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

// golden compares with a file of a paper's folder in testdata.
func golden(t *testing.T, paper, name, got string, same func(want, got string) bool) {
	t.Helper()
	path := filepath.Join("testdata", paper, name)
	if *regenerate {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, path); !same(want, got) {
		t.Errorf("%s has changed; if it should, go test ./cmd/unlearnlab -run SameBytes -regen. It is now\n%s", path,
			got)
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

// ofConcealment makes something of the study's results.
func ofConcealment(of func(r *concealment.Results) (*plots.Figure, error)) func(bench.Results) (*plots.Figure, error) {
	return func(r bench.Results) (*plots.Figure, error) { return of(r.(*concealment.Results)) }
}
