package salmu

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// readScores reads scores from a file at any path.
func readScores(path string) (Scores, error) {
	artifact, err := store.FilesIn(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	return ReadScores(artifact, filepath.Base(path))
}

func TestScores_RoundTrip(t *testing.T) {
	scores := drawn(7)
	scores[3].Identity, scores[4].ID = -1, "a, \"b\"\nü"
	path := filepath.Join(t.TempDir(), ScoresFile(0))
	if err := scores.WriteParquet(path); err != nil {
		t.Fatal(err)
	}
	back, err := readScores(path)
	if err != nil {
		t.Fatal(err)
	}
	same := func(a, b Score) bool {
		for i, value := range a.measured() {
			if x, y := *value, *b.measured()[i]; x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
				return false
			}
		}
		return a.ID == b.ID && a.Split == b.Split && a.Identity == b.Identity
	}
	if !slices.EqualFunc(scores, back, same) {
		t.Errorf("%+v came back as %+v", scores, back)
	}
}

func TestReadScores_Refused(t *testing.T) {
	words, numbers := []string{"a"}, []float64{1}
	whole := []safefile.Column{{Name: "id", Texts: words}, {Name: "split", Texts: words},
		{Name: "identity", Values: numbers}}
	for _, name := range []string{"cosine", "rank", "core", "probe_true", "probe_false", "right"} {
		whole = append(whole, safefile.Column{Name: name, Values: numbers})
	}
	folder := t.TempDir()
	refused := func(name, want string, path string) {
		t.Helper()
		_, err := readScores(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	write := func(columns []safefile.Column) string {
		path := filepath.Join(folder, "scores.parquet")
		if err := safefile.WriteParquet(path, columns); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if _, err := readScores(write(whole)); err != nil {
		t.Fatal(err)
	}
	for i, column := range whole {
		refused("without "+column.Name, `without the column "`+column.Name+`"`,
			write(slices.Delete(slices.Clone(whole), i, i+1)))
		other := slices.Clone(whole)
		if other[i] = (safefile.Column{Name: column.Name, Texts: words}); column.Texts != nil {
			other[i] = safefile.Column{Name: column.Name, Values: numbers}
		}
		refused("another kind of "+column.Name, `no column "`+column.Name+`"`, write(other))
	}
	text := filepath.Join(folder, "text.parquet")
	if err := os.WriteFile(text, []byte("id,split\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	refused("a text", "read", text)
	if _, err := readScores(filepath.Join(folder, "none.parquet")); err == nil ||
		!strings.Contains(err.Error(), `no file "none.parquet"`) {
		t.Error(err)
	}
}

func TestScoresFile(t *testing.T) {
	if ScoresFile(0) != "scores.parquet" || ScoresFile(15) != "scores-15x.parquet" {
		t.Errorf(`got %v, %v, want ScoresFile(0) "scores.parquet", ScoresFile(15) "scores-15x.parquet"`,
			ScoresFile(0), ScoresFile(15))
	}
}
