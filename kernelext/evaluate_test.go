package kernelext

import (
	"os"
	"path/filepath"
	"testing"
)

func TestHoldsScores(t *testing.T) {
	models, scores := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(models, "world-0"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(scores, "answers.csv"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path string
		want bool
	}{{models, false}, {scores, true}, {"scores.CSV", true}, {"scores.parquet", true}, {"/nonexistent", false}} {
		if got := holdsScores(test.path); got != test.want {
			t.Errorf("holdsScores(%q) = %t, want %t", test.path, got, test.want)
		}
	}
}
