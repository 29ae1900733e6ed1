package export

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type note struct {
	FileName string `json:"file_name" about:"sound"`
	ID       string `json:"id" about:"id"`
	Loud     bool   `json:"loud" about:"whether it is loud"`

	hidden int
}

func notes(ids ...string) (rows []note) {
	for _, id := range ids {
		rows = append(rows, note{FileName: id + ".wav", ID: id, hidden: 1})
	}
	return rows
}

func sounds(splits ...Split[note]) Dataset[note] {
	return Dataset[note]{Name: "notes", About: "Notes.", License: License, Cite: "nobody", Splits: splits, Ending: "wav",
		File: func(row note) string { return row.FileName },
		Draw: func(row note, target io.Writer) error {
			_, err := io.WriteString(target, "sound of "+row.ID)
			return err
		}}
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// configName returns the configuration's name in a data set's README.md.
func configName(t *testing.T, dir string) string {
	t.Helper()
	_, after, _ := strings.Cut(read(t, dir, "README.md"), "config_name: ")
	name, _, _ := strings.Cut(after, "\n")
	return name
}

func TestDatasetWrite(t *testing.T) {
	dir := t.TempDir()
	set := sounds(Split[note]{"forget", "to forget", notes("a", "b")}, Split[note]{"test", "to test", notes("a")})
	if err := set.Write(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	rows := read(t, dir, "forget", "metadata.jsonl")
	if want := `{"file_name":"a.wav","id":"a","loud":false}` + "\n" + `{"file_name":"b.wav","id":"b","loud":false}` +
		"\n"; rows != want {
		t.Errorf("got rows\n%swant\n%s", rows, want)
	}
	if got := read(t, dir, "test", "a.wav"); got != "sound of a" {
		t.Errorf("got the file %q", got)
	}
	if card := read(t, dir, "README.md"); !strings.HasPrefix(card, "---\nconfigs:\n") ||
		!strings.Contains(card, "  - split: test\n    path: test/*\n") ||
		!strings.Contains(card, "| `loud` | whether it is loud |") || !strings.Contains(card, "| `forget` | 2 |") {
		t.Errorf("got the card\n%s", card)
	}
	other := sounds(Split[note]{"forget", "to forget", notes("a", "c")}, Split[note]{"test", "to test", notes("a")})
	if again := t.TempDir(); other.Write(t.Context(), again) != nil || configName(t, again) == configName(t, dir) {
		t.Errorf("data sets with other rows have one configuration %s", configName(t, dir))
	}
	var described struct {
		ConformsTo   string `json:"conformsTo"`
		Distribution []struct {
			ID, ContentURL, SHA256, Includes string
		} `json:"distribution"`
		RecordSet []struct {
			Name  string
			Field []struct{ Name, DataType string }
		} `json:"recordSet"`
	}
	if err := json.Unmarshal([]byte(read(t, dir, "croissant.json")), &described); err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(rows))); described.Distribution[0].SHA256 != sum ||
		described.Distribution[0].ContentURL != "forget/metadata.jsonl" ||
		described.Distribution[1].Includes != "forget/*.wav" {
		t.Errorf("got the files %+v, want the sum %s", described.Distribution, sum)
	}
	if len(described.RecordSet) != 2 || len(described.RecordSet[1].Field) != 3 ||
		described.RecordSet[1].Field[2].DataType != "sc:Boolean" {
		t.Errorf("got the records %+v", described.RecordSet)
	}
}

func TestDatasetWrite_WithoutFiles(t *testing.T) {
	dir := t.TempDir()
	set := sounds(Split[note]{"forget", "to forget", notes("a", "a")})
	set.File = nil
	if err := set.Write(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if rows := read(t, dir, "forget.jsonl"); strings.Count(rows, "\n") != 2 {
		t.Errorf("got rows\n%s", rows)
	}
	if card := read(t, dir, "README.md"); !strings.Contains(card, "path: forget.jsonl\n") {
		t.Errorf("got the card\n%s", card)
	}
}

func TestDatasetWrite_Refuses(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		ctx  context.Context
		rows []note
		says string
	}{
		{t.Context(), notes("a", "a"), "two rows of the split forget have the file a.wav"},
		{t.Context(), nil, "the split forget has no rows"},
		{interrupted, notes("a"), context.Canceled.Error()},
	} {
		err := sounds(Split[note]{"forget", "", test.rows}).Write(test.ctx, t.TempDir())
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("got the error %v, want %q", err, test.says)
		}
	}
}

func TestFolder(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "new", "folder")
	if err := Folder(dir, func(temporary string) error {
		return os.WriteFile(filepath.Join(temporary, "file"), []byte("whole"), 0o644)
	}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "file"); got != "whole" {
		t.Errorf("got %q", got)
	}
	never := func(string) error { t.Error("filled a folder that must not be written"); return nil }
	if err := Folder(dir, never); err == nil || !strings.HasSuffix(err.Error(), "the folder is not empty, name a new one") {
		t.Errorf("got the error %v for a folder with content", err)
	}
	if err := Folder(filepath.Join(dir, "file"), never); err == nil || !strings.Contains(err.Error(), "it is a file") {
		t.Errorf("got the error %v for a file", err)
	}
	empty := t.TempDir()
	if err := Folder(empty, func(string) error { return nil }); err != nil {
		t.Errorf("got the error %v for an empty folder", err)
	}
}

func TestFolder_FailureLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	full := errors.New("the disk is full")
	err := Folder(filepath.Join(parent, "new"), func(temporary string) error {
		if err := os.WriteFile(filepath.Join(temporary, "file"), nil, 0o644); err != nil {
			return err
		}
		return full
	})
	entries, readErr := os.ReadDir(parent)
	if !errors.Is(err, full) || readErr != nil || len(entries) > 0 {
		t.Errorf("got the error %v and the entries %v, %v", err, entries, readErr)
	}
}
