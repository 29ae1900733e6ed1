package store

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// inMemory is a shelf of artifacts whose files have no paths. It contains no tables.
type inMemory map[Key]*memory

type memory struct {
	manifest Manifest
	files    map[string][]byte
}

type section struct{ *bytes.Reader }

func (section) Close() error { return nil }

func (m inMemory) Get(key Key) (*Artifact, error) {
	if found, is := m[key]; is {
		return NewArtifact(found.manifest, found), nil
	}
	return nil, ErrAbsent
}

func (m inMemory) Keys() (keys []Key, err error) {
	for key := range m {
		keys = append(keys, key)
	}
	return keys, nil
}

func (m *memory) Place() string { return "in memory" }

func (m *memory) Locate(name string) (Location, error) {
	return Location{Path: "in memory: " + name}, nil
}

func (m *memory) Open(name string) (Opened, error) {
	if strings.HasSuffix(name, ".table") {
		return nil, ErrTable
	}
	return section{bytes.NewReader(m.files[name])}, nil
}

func (m *memory) ReadTable(string, ...string) (*safefile.Frame, error) {
	return nil, errors.New("there are no tables")
}

func (m *memory) Verify(name string, stored File) (string, error) {
	return stored.Compare(bytes.NewReader(m.files[name]))
}

// shelved returns a shelf with the artifacts of two specs.
func shelved(t *testing.T) inMemory {
	t.Helper()
	s, shelf := open(t, t.TempDir()), inMemory{}
	for seed := range 2 {
		a := do(t, s, spec{seed, 200})
		kept := &memory{a.Manifest, map[string][]byte{}}
		for _, name := range a.Names() {
			content, err := a.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			kept.files[name] = content
		}
		shelf[a.Key] = kept
	}
	return shelf
}

func TestShelf_FoundBelow(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, Above(inMemory{}, shelved(t)))
	do(t, s, spec{5, 10})
	if manifests, damaged, err := s.List(); len(manifests) != 3 || len(damaged) != 0 || err != nil {
		t.Errorf("%d listed, %v, %v", len(manifests), damaged, err)
	}
	sp := spec{1, 200}
	if err := s.Verify(sp.key()); err != nil {
		t.Error(err)
	}
	a, err := s.Do(t.Context(), stage, sp, nil, nil) // the artifact exists, so nothing is made
	if err != nil {
		t.Fatal(err)
	}
	if content, err := a.ReadFile("a.txt"); err != nil || !bytes.Equal(content, sp.content()) {
		t.Errorf("%.20q, %v", content, err)
	}
	if got := filesBelow(t, folder); len(got) != 3 || a.Dir != "" {
		t.Errorf("reading copies: %v, %s", got, a.Dir)
	}
	if _, err := s.Get(spec{7, 200}.key()); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
}

func TestShelf_LocalCopy(t *testing.T) {
	sp, shelf := spec{1, 200}, shelved(t)
	shelf[sp.key()].manifest.Files["rows.table"] = File{Size: 7}
	s := open(t, t.TempDir(), Above(shelf))
	a, err := s.Local(sp.key())
	if err != nil {
		t.Fatal(err)
	}
	if err := sp.check(a); err != nil {
		t.Error(err)
	}
	if again, err := s.Local(sp.key()); err != nil || again.Path("a.txt") != a.Path("a.txt") {
		t.Errorf("%v, %v", again, err)
	}
	if got, err := filepath.Glob(filepath.Join(a.Dir, "*")); err != nil || len(got) != 2 {
		t.Errorf("copied were %v, %v", got, err)
	}
	if _, err := s.Get(sp.key()); err != nil {
		t.Error(err)
	}
	own := do(t, s, spec{5, 10})
	if local, err := s.Local(own.Key); err != nil || local != own {
		t.Errorf("%v is not in the store, %v", local, err)
	}
	if _, err := s.Local(spec{7, 7}.key()); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
}

func TestShelf_Damage(t *testing.T) {
	key, shelf := spec{1, 200}.key(), shelved(t)
	shelf[key].files["a.txt"][3]++
	s := open(t, t.TempDir(), Above(shelf))
	var damaged *Damaged
	err := s.Verify(key)
	if !errors.As(err, &damaged) || damaged.File != "a.txt" {
		t.Error(err)
	}
	oneLine(t, err, "in memory", "SHA-256")
	if _, err := s.Local(key); !errors.As(err, &damaged) {
		t.Error(err)
	}
	_, err = s.Repair(key)
	oneLine(t, err, "shipped with the program")
	if err := s.Verify(spec{9, 9}.key()); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
	shelf[key].manifest.Spec = []byte(`{"Seed":3,"Size":200}`)
	oneLine(t, s.Verify(key), "its key is not the key of its spec")
}

// Manifests may come from the same untrusted source as their artifacts.
func TestManifest_FilesElsewhere(t *testing.T) {
	for _, name := range []string{"../../outside", "/etc/passwd", `..\..\outside`, manifestName} {
		m := do(t, open(t, t.TempDir()), spec{1, 1}).Manifest
		m.Files = map[string]File{name: {}}
		s := open(t, t.TempDir(), Above(inMemory{m.Key: {m, map[string][]byte{name: nil}}}))
		_, err := s.Local(m.Key)
		oneLine(t, err, "name")
		oneLine(t, s.Verify(m.Key), "name")
		if left := filesBelow(t, s.Folder()); len(left) != 0 {
			t.Errorf("%q: copied %v", name, left)
		}
		content, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		place := filepath.Join(placeOf(s.artifacts(), m.Key), manifestName)
		err = errors.Join(os.MkdirAll(filepath.Dir(place), 0o755), os.WriteFile(place, content, 0o644))
		if err != nil {
			t.Fatal(err)
		}
		_, err = open(t, s.Folder()).Get(m.Key)
		oneLine(t, err, "name")
	}
}

func TestShelf_NoPaths(t *testing.T) {
	a, err := shelved(t).Get(spec{1, 200}.key())
	if err != nil {
		t.Fatal(err)
	}
	file, err := a.Open("logs/b.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if first, err := io.ReadAll(io.NewSectionReader(file, 0, 5)); string(first) != "1-200" || err != nil {
		t.Errorf("%q, %v", first, err)
	}
	defer func() {
		if problem, _ := recover().(string); !strings.Contains(problem, "Store.Local") {
			t.Errorf("%q", problem)
		}
	}()
	a.Path("a.txt")
}
