package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Figures and tables are byte-identical from the command, a notebook cell and the library.
func TestOutputs_SameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	for _, e := range papers.All {
		t.Run(e.Paper, func(t *testing.T) { sameFromAll(t, e) })
	}
}

func sameFromAll(t *testing.T, e *study.Study) {
	home, out := madeup.Home(t, e), t.TempDir()
	r, err := e.Open(home, "smoke")
	if err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := cmd.Run("figures", e.Paper, "--home", home, "--format", "png", "--out",
		out); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	s := sameness{T: t, paper: e.Paper, home: home, drawn: map[string]string{}}
	for _, d := range e.Figures {
		figure, err := plots.Draw(d.Figure(r))
		s.figure(d.Name, filepath.Join(out, e.Paper, d.File()+".png"), figure, err)
	}
	for _, item := range e.Tables {
		table, err := r.Table(item.Name, false)
		s.table(item.Name, fmt.Sprintf("Table(%q)", item.Name), table, err, item.Name)
		table, err = r.Table(item.Name, true)
		s.table(item.Name+"-certified", fmt.Sprintf("Certified(%q)", item.Name), table, err, item.Name, "--certified")
	}
	for _, item := range e.Further {
		table, err := r.Table(item.Name, false)
		s.table(item.Name, fmt.Sprintf("Table(%q)", item.Name), table, err, item.Name)
	}
	s.claims(e.ClaimsTable(r))
	t.Run("cell", func(t *testing.T) {
		integration.Test(t, "runs a cell as a program")
		s.T = t
		s.fromTheCell()
	})
}

// longestGolden is the maximum size of a golden table in bytes. Longer tables, such as lists of a thousand answers, are
// truncated.
const longestGolden = 1 << 14

// sameness compares what the library prints and draws with the command's output. It also collects the library calls in
// cell, to be run as a notebook cell.
type sameness struct {
	*testing.T
	paper, home string
	cell        strings.Builder
	drawn       map[string]string // pictures by the file names that the cell writes
	printed     []string          // expected output of the cell
}

// figure compares a figure that the library drew with the command's picture in path. If the library returned an error
// instead, the command must print the same error.
func (s *sameness) figure(name, path string, figure *plots.Figure, err error) {
	s.Helper()
	arguments := []string{"figures", s.paper, name, "--home", s.home, "--data"}
	if missing := new(study.Lacks); errors.As(err, &missing) {
		cmd.Refused(s.T, cli.ExitFailed, missing.Error(), arguments...)
		return
	} else if err != nil {
		s.Fatal(err)
	}
	bare, _, _, err := figure.PNG(2)
	if err != nil {
		s.Fatal(err)
	}
	var picture strings.Builder
	if err := figure.WritePNG(&picture, figure.Width, figure.Height, 192); err != nil {
		s.Fatal(err)
	}
	s.drawn[fmt.Sprintf("figure-%d.png", len(s.drawn)+1)] = string(bare)
	if clitest.Read(s.T, path) != picture.String() {
		s.Errorf("figure %s: the command draws another picture", name)
	}
	data := cmd.Succeed(s.T, arguments...)
	if data != indented(s.T, figure.Data()) {
		s.Errorf("figure %s: the command prints other numbers", name)
	}
	clitest.Golden(s.T, s.paper, "figure"+name+".json", data, clitest.SameNumbers(1e-9))
	s.printed = append(s.printed, data)
	fmt.Fprintf(&s.cell, "\tshow(%q, found.Results)\n", name)
}

// table compares a table that the library made with the command's output. If the library returned an error instead, the
// command must print the same error.
func (s *sameness) table(name, inCell string, table *report.Table, err error, arguments ...string) {
	s.Helper()
	arguments = append([]string{"table", s.paper, "--home", s.home}, arguments...)
	if missing := new(study.Lacks); errors.As(err, &missing) {
		cmd.Refused(s.T, cli.ExitFailed, missing.Error(), arguments...)
		return
	} else if err != nil {
		s.Fatal(err)
	}
	want := s.shown(table, inCell)
	clitest.Golden(s.T, s.paper, "table"+name+".txt", want[:min(len(want), longestGolden)], clitest.SameBytes)
	if code, shown, _ := cmd.Run(arguments...); code != cli.ExitDone || shown != want {
		s.Errorf("table %s: the command prints\n%s", name, shown)
	}
}

// shown returns the text of a table, and adds to the cell the call that must print it.
func (s *sameness) shown(table *report.Table, inCell string) string {
	s.Helper()
	var text strings.Builder
	if err := table.Show(&text, report.View{}); err != nil {
		s.Fatal(err)
	}
	s.printed = append(s.printed, text.String())
	fmt.Fprintf(&s.cell, "\tfound.%s\n", inCell)
	return text.String()
}

// claims checks that the command's output begins with the library's table of claims; counts of the verdicts follow.
func (s *sameness) claims(table *report.Table) {
	s.Helper()
	want := s.shown(table, "Claims()")
	if shown := cmd.Succeed(s.T, "claims", s.paper, "--home", s.home); !strings.HasPrefix(shown, want) {
		s.Errorf("claims: the command prints\n%s", shown)
	}
}

func (s *sameness) fromTheCell() {
	shown, pictures := runCell(s.T, s.paper, s.home, s.cell.String())
	for _, want := range s.printed {
		if !strings.Contains(shown, want) {
			s.Errorf("the cell does not print\n%s", want)
		}
	}
	for name, picture := range s.drawn {
		if clitest.Read(s.T, filepath.Join(pictures, name)) != picture {
			s.Errorf("%s: the cell draws another picture", name)
		}
	}
}

// runCell runs a cell's code as a program, as gonb does, and returns its output and the folder with its pictures.
func runCell(t *testing.T, paper, home, body string) (shown, pictures string) {
	t.Helper()
	program := clitest.File(t, "cell.go", `package main

import (
	"encoding/json"
	"os"

	kx "github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	paper "github.com/unlearnlab/unlearnlab/unlearnkit/papers/`+paper+`"
)

func show(name string, r study.Results) {
	figure := kx.Must(plots.Draw(paper.Figures.Figure(name, r)))
	kx.Figure(figure)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	kx.Must(0, encoder.Encode(figure.Data()))
}

func main() {
	found := kx.Study(paper.Study)
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

func indented(t *testing.T, value any) string {
	t.Helper()
	var text strings.Builder
	if err := cli.WriteJSON(&text, value); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
