package lab

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A folder is identified by its files, which are read again when they change.
func TestDigests_Changed(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	digests, dir, files := &Digests{Store: s, Progress: &told}, t.TempDir(), []string{"a", "b/c"}
	write(t, filepath.Join(dir, "a"), "one")
	write(t, filepath.Join(dir, "b", "c"), "two")
	take := func(dir string, check func() error) (string, error) {
		return digests.Of(t.Context(), dir, files, check)
	}
	first, err := take(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "a\x00%x\nb/c\x00%x\n", sha256.Sum256([]byte("one")),
		sha256.Sum256([]byte("two"))))); first != want {
		t.Errorf("%s, want %s", first, want)
	}
	asked := errors.New("looked at")
	again := func() error { return asked }
	if same, err := take(dir, again); err != nil || same != first || strings.Count(told.String(), "\n") != 1 {
		t.Errorf("%s is then %s, %v; told was %q", first, same, err, told.String())
	}
	if err := os.Chtimes(filepath.Join(dir, "a"), time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := take(dir, again); !errors.Is(err, asked) {
		t.Errorf("a file of another time is not looked at: %v", err)
	}
	if same, err := take(dir, nil); err != nil || same != first {
		t.Errorf("%s is then %s, %v", first, same, err)
	}
	if folder, err := digests.Folder(first); err != nil || folder != dir {
		t.Errorf("got %s, %v, want folder %v", folder, err, dir)
	}
	for _, unknown := range []*Digests{nil, {}, digests} {
		if _, err := unknown.Folder("0123456789abcdef"); err == nil ||
			err.Error() != "the published files with the digest 0123456789ab are not at hand" {
			t.Error(err)
		}
	}
	write(t, filepath.Join(dir, "b", "c"), "too")
	if other, err := take(dir, nil); err != nil || other == first {
		t.Errorf("%s is then %s, %v", first, other, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	write(t, filepath.Join(dir, "a"), "three")
	if _, err := digests.Of(cancelled, dir, files, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := digests.Of(t.Context(), dir, []string{"d"}, nil); err == nil ||
		!strings.HasSuffix(err.Error(), "d: the file is missing") {
		t.Error(err)
	}
}

func TestFolders_Remembered(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	one, other := t.TempDir(), t.TempDir()
	for _, folder := range []string{one, one, other} {
		if err := Remember(s, map[string]string{"data": folder}); err != nil {
			t.Fatal(err)
		}
		if known, err := s.Data(); err != nil || len(known) != 1 || known["data"] != folder {
			t.Errorf("%v, %v, want %s", known, err, folder)
		}
	}
}

func TestWeights_Published(t *testing.T) {
	const empty = "\x02\x00\x00\x00\x00\x00\x00\x00{}"
	weights := Weights{Base: "model", Converted: "pytorch_model.safetensors"}
	for _, test := range []struct {
		files []string
		want  string
	}{
		{[]string{"model.safetensors", "model.json", "other.safetensors"}, "[model.safetensors]"},
		{[]string{"pytorch_model.safetensors", "pytorch_model.bin"}, "[pytorch_model.safetensors]"},
		{[]string{"pytorch_model.bin"}, "only pickles"},
		{nil, "no model.safetensors or model.safetensors.index.json"},
	} {
		dir := t.TempDir()
		for _, name := range test.files {
			write(t, filepath.Join(dir, name), empty)
		}
		files, err := weights.Files(dir)
		if got := fmt.Sprint(files, err); !strings.Contains(got, test.want) {
			t.Errorf("%q: %s, want %s", test.files, got, test.want)
		}
	}
}
