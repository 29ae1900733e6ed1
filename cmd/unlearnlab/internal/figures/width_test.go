package figures

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// Every figure of every study fits a column and a page, and its caption is complete.
func TestFigures_Width(t *testing.T) {
	for _, s := range papers.All {
		t.Run(s.Paper, func(t *testing.T) {
			t.Parallel()
			results, err := s.Open(madeup.Home(t, s), preset.Smoke)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range s.Figures {
				figure, err := plots.Draw(d.Figure(results))
				if errors.As(err, new(*study.Lacks)) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				for width, inches := range map[string]float64{"3.3in": 3.3, "172.72mm": 6.8} {
					for _, bare := range []bool{true, false} {
						checkPages(t, d.Name, figure, figureFlags{width: width, bare: bare}, inches)
					}
				}
				text := captions(figure)
				for _, part := range []string{figure.Title, figure.Note, figure.Caption} {
					if !strings.Contains(text[".txt"], part) {
						t.Errorf("%s: the caption lacks %q", d.Name, part)
					}
				}
				if tex := text[".tex"]; !strings.HasPrefix(tex, `\caption{`) || unknown.MatchString(tex) {
					t.Errorf("%s: LaTeX cannot set %q in %s", d.Name, unknown.FindString(tex), tex)
				}
			}
		})
	}
}

// unknown matches what pdflatex cannot set: special characters, and letters outside Latin-1 but for quotation marks and
// dashes.
var unknown = regexp.MustCompile(`[^\\][%#&~]|[^\x00-\x{00FF}“”‘’–—…]`)

func checkPages(t *testing.T, name string, figure *plots.Figure, flags figureFlags, width float64) {
	t.Helper()
	pages, err := flags.pages(figure)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if math.Abs(page.Width-width) > 1e-9 || page.Height > mostHeight+1e-6 || page.Height < .5 {
			t.Errorf("%s: %d pages, one of %.2f×%.2f inches, want a width of %g", name, len(pages), page.Width,
				page.Height, width)
		}
		if err := page.WriteSVG(io.Discard, page.Width, page.Height); err != nil {
			t.Error(err)
		}
	}
}

func TestFigures_Bare(t *testing.T) {
	out := t.TempDir()
	stdout := cmd.Succeed(t, "figures", "unslu", "gum", "--bare", "--width", "84mm", "--out", out)
	if files := strings.Fields(stdout); len(files) != 5 {
		t.Fatalf("wrote %v, want three pictures and two captions", files)
	}
	read := func(ending string) string { return clitest.Read(t, filepath.Join(out, "unslu", "gum"+ending)) }
	if tex := read(".tex"); !strings.Contains(tex, `\textbf{The printed GUM is computed`) ||
		!strings.Contains(read(".txt"), "Recomputed minus printed GUM") {
		t.Errorf("the caption is %q", tex)
	}
	if box := regexp.MustCompile(`/MediaBox \[0 0 ([\d.]+) `).FindStringSubmatch(read(".pdf")); box[1] != "238.11" {
		t.Errorf("the page is %s points wide, want 238.11", box[1])
	}
	if !bytes.Contains([]byte(read(".png")), []byte("pHYs")) {
		t.Error("the PNG file has no dots per inch")
	}
	whole := cmd.Succeed(t, "figures", "unslu", "gum", "--bare", "--format", "svg", "--out", out)
	if files := strings.Fields(whole); len(files) != 3 {
		t.Errorf("wrote %v, want a picture and two captions", files)
	}
}

func TestFigures_WidthRefused(t *testing.T) {
	for width, want := range map[string]string{"3.3": "give a number with the unit", "wide": "give a number",
		"3.3ft": "the unit in, cm, mm or pt", "1in": "2 to 20 inches wide", "-4in": "2 to 20", "NaNin": "2 to 20",
		"9000pt": "2 to 20 inches wide"} {
		cmd.Refused(t, cli.ExitUsage, want, "figures", "unslu", "gum", fmt.Sprint("--width=", width))
	}
}
