package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func TestConcealment_ListedAndPrinted(t *testing.T) {
	if listed := cmd.Succeed(t, "run", "concealment", "--dry-run"); !strings.Contains(listed,
		"\n18 runs, 0 missing\n") {
		t.Errorf("got %s, want 18 runs and none missing", listed)
	}
	if listed := cmd.Succeed(t, "run", "concealment", "--method", "ESD-x", "--seeds", "2",
		"--dry-run"); !strings.Contains(listed, "ESD-x of Van Gogh, seed 1") || strings.Contains(listed, "Ablating") ||
		!strings.Contains(listed, ", 3 missing\n") {
		t.Errorf("got %s, want two seeds of ESD-x and 3 missing", listed)
	}
	for _, args := range [][]string{{"table", "concealment", "1", "--certified"}, {"table", "concealment", "verdicts"},
		{"table", "concealment", "readings2", "--format", "csv"}, {"claims", "concealment"}} {
		if first := cmd.Succeed(t, args...); len(first) < 400 || first != cmd.Succeed(t, args...) {
			t.Errorf("%v prints %s, want 400 letters and the same again", args, first)
		}
	}
}

func TestConcealment_JSON(t *testing.T) {
	home := madeup.Home(t, concealment.Study)
	var table struct {
		Paper, Table, Preset string
		Seeds                int
		Rows                 []map[string]any
	}
	stdout := cmd.Succeed(t, "table", "concealment", "1", "--format", "json", "--home", home)
	if err := json.Unmarshal([]byte(stdout), &table); err != nil || table.Paper != "concealment" ||
		table.Preset != "smoke" || table.Table != "1" || table.Seeds != 1 ||
		len(table.Rows) != len(concealment.Smoke().Columns()) {
		t.Errorf(`got %v: %s, want table.Paper "concealment", table.Preset "smoke", table.Table "1", table.Seeds `+
			`1, length %v of table.Rows`,
			err, stdout, len(concealment.Smoke().Columns()))
	}
	var claims struct{ Rows []map[string]any }
	stdout = cmd.Succeed(t, "claims", "concealment", "--json", "--home", home)
	if err := json.Unmarshal([]byte(stdout), &claims); err != nil || len(claims.Rows) < 10 ||
		claims.Rows[0]["paper"] != "concealment" {
		t.Errorf(`got %v: %s, want at least 10 claims, claims.Rows[0]["paper"] "concealment"`, err, stdout)
	}
}

// An export has two models: the original and one gold model.
func TestConcealment_ExportedModels(t *testing.T) {
	home, folder := madeup.Home(t, concealment.Study), t.TempDir()
	cmd.Succeed(t, "run", "concealment", "--home", home, "--export", folder)
	s, err := store.Open(t.TempDir(), store.Above(publish.Open(os.DirFS(folder), folder)))
	if err != nil {
		t.Fatal(err)
	}
	plan := concealment.NewPlan(concealment.Smoke())
	if _, err := plan.Read(s); err != nil {
		t.Error(err)
	}
	models := 0
	for _, run := range plan.Runs() {
		if !concealment.Base.Made(run) && !concealment.Erased.Made(run) {
			continue
		}
		if base, is := concealment.Base.Spec(run); is && base.Discarded {
			continue
		}
		if _, err := s.Get(run.Key()); err == nil {
			models++
		} else if !errors.Is(err, store.ErrAbsent) {
			t.Error(err)
		}
	}
	if models != 2 {
		t.Errorf("%d models are passed on", models)
	}
}

func TestConcealment_NoPaperPreset(t *testing.T) {
	for _, name := range []string{"1", "2", "7", "recovery"} {
		cmd.Refused(t, cli.ExitFailed, "does not exist for concealment", "figures", "concealment", name, "--preset",
			"paper",
			"--home", t.TempDir())
	}
	cmd.Refused(t, cli.ExitFailed, "the preset smoke has no prompt of figure 5; it has 7, 11", "figures", "concealment",
		"5",
		"--home", madeup.Home(t, concealment.Study))
	if at := papers.At(study.PaperPreset); len(at) == 0 || slices.Contains(at, "concealment") {
		t.Errorf("%v", at)
	}
}

// If no run of a preset has been made, nothing is published and no folder is created.
func TestPublish_OnlyPlanned(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "published")
	cmd.Refused(t, cli.ExitFailed, "there are no results of the preset smoke to publish yet", "run", "concealment",
		"--preset",
		"smoke", "--home", t.TempDir(), "--export", folder, "--part")
	if _, err := os.Stat(folder); err == nil {
		t.Error("a folder was made")
	}
}
