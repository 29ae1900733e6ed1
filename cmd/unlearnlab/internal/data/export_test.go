package data

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/registry"
)

// idsIn returns the row IDs of a JSON Lines file and checks that the files it names exist.
func idsIn(t *testing.T, path string) (ids []string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var row struct {
			FileName string `json:"file_name"`
			ID       string `json:"id"`
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil || row.ID == "" {
			t.Fatalf("%s: got %s, %v, want row.ID not empty", path, lines.Text(), err)
		}
		if row.FileName != "" {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), row.FileName)); err != nil {
				t.Error(err)
			}
		}
		ids = append(ids, row.ID)
	}
	return ids
}

// checkModel checks that a model's folder has all files and that the model passes inspection.
func checkModel(t *testing.T, dir string, files ...string) {
	t.Helper()
	inspection, err := registry.Inspect(dir)
	if err != nil || !inspection.OK {
		t.Errorf("%s: got %+v, %v, want inspection.OK true", dir, inspection.Warnings, err)
	}
	for _, file := range files {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
	}
}

func TestExport_SALMU(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains two models")
	}
	dir := filepath.Join(t.TempDir(), "worlds")
	done := object[exported](t, cli.ExitDone, "data", "export", "salmu", dir, "--json")
	if len(done.Worlds) != 1 || done.Files < 100 || done.Preset != "smoke" {
		t.Errorf(`got %+v, want 1 Worlds, Files at least 100, Preset "smoke"`, done)
	}
	world := filepath.Join(dir, "world-0")
	for _, name := range []string{"original", "gold"} {
		checkModel(t, filepath.Join(world, "models", name), "tokenizer.json", "tokenizer_config.json",
			"preprocessor_config.json")
		checkModel(t, filepath.Join(world, "models/open_clip", name), "tokenizer.json")
		scores, err := safefile.ReadParquet(filepath.Join(world, "scores", name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		ids, _ := scores.Words("id")
		splits, _ := scores.Words("split")
		exported := idsIn(t, filepath.Join(world, "data/forget/metadata.jsonl"))
		for i, id := range ids {
			if strings.HasPrefix(splits[i], "forget") && !slices.Contains(exported, id) {
				t.Errorf("%s of the scores is not exported", id)
			}
		}
	}
	var croissant map[string]any
	content, err := os.ReadFile(filepath.Join(world, "data/croissant.json"))
	if err == nil {
		err = json.Unmarshal(content, &croissant)
	}
	if err != nil || croissant["@type"] != "sc:Dataset" {
		t.Errorf(`got %v, %v, want croissant["@type"] "sc:Dataset"`, croissant["@type"], err)
	}
	cmd.Refused(t, cli.ExitFailed, "the folder is not empty", "data", "export", "salmu", dir)
}

func TestExport_Only(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains a model")
	}
	dir := filepath.Join(t.TempDir(), "worlds")
	object[exported](t, cli.ExitDone, "data", "export", "salmu", dir, "--only", "original", "--json")
	models, err := os.ReadDir(filepath.Join(dir, "world-0/models"))
	var names []string
	for _, entry := range models {
		names = append(names, entry.Name())
	}
	if got, want := strings.Join(names, " "), "open_clip original"; got != want {
		t.Errorf("the models %q, %v, want %q", got, err, want)
	}
}

func TestExport_Refuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "worlds")
	for _, test := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, `there is no paper "nobody"; the papers are`, []string{"nobody", dir}},
		{cli.ExitUsage, `expected a paper and a new folder, got 1 argument`, []string{"salmu"}},
		{cli.ExitUsage, `give --train or --existing, not both`, []string{"salmu", dir, "--train", "--existing"}},
		{cli.ExitUsage, `--world 1: the preset quick has the worlds 0 to 0, or give all`,
			[]string{"salmu", dir, "--preset", "quick", "--world", "1"}},
		{cli.ExitUsage, `--world first`, []string{"salmu", dir, "--world", "first"}},
		{cli.ExitUsage, `salmu has the models original, gold`, []string{"salmu", dir, "--only", "orignal"}},
		{cli.ExitUsage, `its data and models are published`, []string{"salmu", dir, "--preset", "paper"}},
		{cli.ExitUsage, `huge`, []string{"salmu", dir, "--preset", "huge"}},
		{cli.ExitFailed, `making them takes about`,
			[]string{"salmu", dir, "--preset", "worlds", "--world", "7", "--home", t.TempDir()}},
	} {
		cmd.Refused(t, test.code, test.says, append([]string{"data", "export"}, test.args...)...)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a refused export has written something: %v", err)
	}
}
