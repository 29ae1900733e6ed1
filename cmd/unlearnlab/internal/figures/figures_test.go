package figures

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Figures of all papers skip a preset that would take hours.
func TestFigures_SkipsHours(t *testing.T) {
	var said strings.Builder
	s := source{preset: "mini", stderr: &said, richest: func(paper string, _ func(study.Results, string) error) error {
		return &studies.Shortage{Paper: paper, Preset: "mini"}
	}}
	var chosen []drawing
	for _, d := range drawings() {
		if d.paper == "remem" || d.Printed != nil {
			chosen = append(chosen, d)
		}
	}
	flags := figureFlags{out: t.TempDir(), theme: "light", formats: []string{"svg"}}
	drawn, err := drawAll(t.Context(), io.Discard, chosen, flags, s)
	if err != nil || len(drawn) == 0 || len(drawingsOf("remem", drawn)) > 0 ||
		strings.Count(said.String(), "the preset mini of remem lacks") != 1 {
		t.Errorf("%v, %d drawn\n%s", err, len(drawn), said.String())
	}
	if _, err := drawAll(t.Context(), io.Discard, drawingsOf("remem", chosen), flags, s); !errors.As(err, new(*studies.Shortage)) {
		t.Errorf("figures of one paper that are not there: %v", err)
	}
}

func TestFigures_FormatsAndBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws every figure twice in three formats")
	}
	for _, e := range papers.All {
		t.Run(e.Paper, func(t *testing.T) {
			home := madeup.Home(t, e)
			first, second := figureFiles(t, e.Paper, home), figureFiles(t, e.Paper, home)
			if !maps.Equal(first, second) {
				t.Error("not the same bytes twice")
			}
			for _, d := range drawingsOf(e.Paper, drawings()) {
				written := 0
				for format, start := range map[string]string{"png": "\x89PNG", "svg": "<", "pdf": "%PDF"} {
					if content, there := first[d.File()+"."+format]; there && strings.HasPrefix(content, start) {
						written++
					}
				}
				code, stdout, stderr := cmd.Run("figures", e.Paper, d.Name, "--home", home, "--data")
				switch lacking := strings.HasPrefix(stderr, "unlearnlab: the preset smoke "); {
				case lacking && written == 0:
				case written != 3 || code != cli.ExitDone || !json.Valid([]byte(stdout)) || len(stdout) < 500:
					t.Errorf("%s: %d of 3 formats; exit %d, data of %d bytes %s", d.Name, written, code, len(stdout),
						stderr)
				}
			}
		})
	}
}

// figureFiles draws all figures of a paper in the default formats and returns the files' contents by name.
func figureFiles(t *testing.T, paper, home string) map[string]string {
	t.Helper()
	files := map[string]string{}
	code, stdout, stderr := cmd.Run("figures", paper, "--home", home, "--out", t.TempDir())
	if code != cli.ExitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, path := range strings.Fields(stdout) {
		files[filepath.Base(path)] = clitest.Read(t, path)
	}
	return files
}

func TestFigures_Page(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	out := filepath.Join(t.TempDir(), "deep", "out")
	code, stdout, stderr := cmd.Run("figures", "--format", "svg", "--out", out)
	if code != 0 {
		t.Fatalf("got %v, %v, want code 0", code, stderr)
	}
	paths := strings.Fields(stdout)
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("got %v, %v, want info.Size() other than 0", path, err)
		}
	}
	if last := paths[len(paths)-1]; last != filepath.Join(out, "index.html") {
		t.Errorf("it ends with %s", last)
	}
	report := filepath.Join(out, "report")
	cmd.Succeed(t, "report", "--out", report)
	for _, page := range []string{"index.html", "find.html", "salmu.html"} {
		if clitest.Read(t, filepath.Join(report, page)) != clitest.Read(t, filepath.Join(out, page)) {
			t.Errorf("the verb report writes another %s", page)
		}
	}
	file := filepath.Join(out, "index.html")
	code, _, stderr = cmd.Run("figures", "--out", file)
	said, isNamed := strings.CutPrefix(stderr, "salmu, preset smoke:\n")
	if code != cli.ExitFailed || !isNamed || strings.Count(said, "\n") != 1 {
		t.Errorf("got %v, %v, want code %v, isNamed true, %q 1 times", code, stderr, cli.ExitFailed, "\n")
	}
}

// With an empty home, figures are drawn from shipped results. Figures that the preset worlds lacks come from mini.
func TestFigures_Richest(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads two presets")
	}
	t.Setenv(kernelext.PresetVariable, "")
	code, stdout, stderr := cmd.Run("figures", "salmu", "--home", t.TempDir(), "--out", t.TempDir(), "--format", "svg")
	if want := "salmu, preset worlds:\nsalmu, preset mini:\n"; code != cli.ExitDone || stderr != want {
		t.Errorf("exit %d and %q, want %d and %q", code, stderr, cli.ExitDone, want)
	}
	if got, want := len(strings.Fields(stdout)), len(papers.Of("salmu").Figures); got != want {
		t.Errorf("%d files, want %d", got, want)
	}
}
