package notebook

import (
	"os"
	"path/filepath"
	"testing"
)

// The git history keeps every version of an executed notebook, and readers have to load the whole notebook.
func TestNotebooks_Size(t *testing.T) {
	const most = 4_000_000
	paths, err := filepath.Glob(filepath.Join(moduleRoot(t), "notebooks", "*.ipynb"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no notebooks, %v", err)
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > most {
			t.Errorf("%s has %d bytes, at most %d are kept", filepath.Base(path), info.Size(), most)
		}
	}
}
