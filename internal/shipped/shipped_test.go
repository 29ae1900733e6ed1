package shipped

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOf(t *testing.T) {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "salmu", "mini"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv(folderVariable, folder)
	if found, err := fs.Glob(Of("salmu"), "*"); err != nil || len(found) != 1 || found[0] != "mini" {
		t.Errorf("got %q, %v; want mini", found, err)
	}
	if found, err := fs.Glob(Of("remem"), "*"); err != nil || len(found) != 0 {
		t.Errorf("got %q, %v for a paper without results", found, err)
	}
}

// Without the variable, the folder is where pip installs it, relative to the program.
func TestFolder(t *testing.T) {
	t.Setenv(folderVariable, "")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(filepath.Dir(program), "..", "share", "unlearnlab", "source", "data", "results")
	if got := folder(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
