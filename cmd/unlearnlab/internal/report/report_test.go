package report

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// Maximum sizes of the report and of its first page in bytes.
const (
	largestFolder = 5 << 20
	largestFirst  = 150 << 10
)

// TestWrite_Ships writes the pages of what ships, with one figure from each paper; "make figures" draws them all.
// Package page tests the parts of the pages, and package figures those of made-up results.
func TestWrite_Ships(t *testing.T) {
	integration.Test(t, "certifies and draws what ships")
	folder := filepath.Join(t.TempDir(), "deep", "report")
	s := studies.NewReader(studies.Flags{Preset: preset.Whole, Home: t.TempDir()}, os.Stderr)
	s.Existing = true
	shown, err := input(paperdata.Names, s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range shown {
		shown[i].Figures = shown[i].Figures[:1]
	}
	var stdout strings.Builder
	if err := write(t.Context(), &stdout, folder, shown); err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(folder, "index.html") + "\n"; stdout.String() != want {
		t.Errorf("it prints %q, want %q", stdout.String(), want)
	}
	if size := sizeOf(t, folder); size > largestFolder {
		t.Errorf("%d bytes, more than %d", size, largestFolder)
	}
	if first := clitest.Read(t, filepath.Join(folder, "index.html")); len(first) > largestFirst {
		t.Errorf("the first page has %d bytes, more than %d", len(first), largestFirst)
	}
	for _, of := range papers.All {
		page := clitest.Read(t, filepath.Join(folder, of.Paper+".html"))
		counted := preset.Whole
		if of.Richest != "" {
			counted = of.Richest
		}
		for _, want := range []string{"(preset " + counted + ")", `id="` + of.Paper + `-board-table"`} {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q", of.Paper, want)
			}
		}
		figure := of.Paper + "-figure-" + of.Figures[0].Name
		if _, err := os.Stat(filepath.Join(folder, "pictures", figure+"-dark.png")); err != nil {
			t.Error(err)
		}
	}
}

func sizeOf(t *testing.T, folder string) (size int64) {
	t.Helper()
	err := filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		size += info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}

func TestReport_NoResults(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report")
	cmd.Succeed(t, "report", "salmu", "--preset", "smoke", "--home", t.TempDir(), "--out", out)
	want := "runs; compute them with unlearnlab run salmu --preset smoke"
	if page := clitest.Read(t, filepath.Join(out, "salmu.html")); !strings.Contains(page, want) {
		t.Errorf("the page lacks %q", want)
	}
	cmd.Refused(t, cli.ExitUsage, `there is no preset "tiny"; the presets are smoke, quick`, "report", "--preset",
		"tiny")
	cmd.Refused(t, cli.ExitUsage, `there is no paper "salme"`, "report", "salme")
}
