package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// exported returns a folder with the artifacts of two specs, to be shipped.
func exported(t *testing.T) string {
	t.Helper()
	s, folder := open(t, t.TempDir()), filepath.Join(t.TempDir(), "results")
	for seed := range 2 {
		for range 2 { // the second time it is there
			if err := s.Export(do(t, s, spec{seed, 200}).Key, folder); err != nil {
				t.Fatal(err)
			}
		}
	}
	return folder
}

// inMemory reads a folder into a file system without paths.
func inMemory(t *testing.T, folder string) fstest.MapFS {
	t.Helper()
	system := fstest.MapFS{}
	for _, name := range filesBelow(t, folder) {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		system[name] = &fstest.MapFile{Data: content}
	}
	return system
}

func TestShippedArtifactsAreFoundBelowTheStore(t *testing.T) {
	shipped := exported(t)
	if got := filesBelow(t, shipped); len(got) != 6 {
		t.Errorf("exported %v", got)
	}
	for name, layer := range map[string]Option{"folder": ShippedFolder(shipped),
		"in a program": Shipped(inMemory(t, shipped))} {
		folder := t.TempDir()
		s := open(t, folder, Shipped(fstest.MapFS{}), layer, ShippedFolder(filepath.Join(shipped, "nothing")))
		do(t, s, spec{5, 10})
		if manifests, damaged, err := s.List(); len(manifests) != 3 || len(damaged) != 0 || err != nil {
			t.Errorf("%s: %d listed, %v, %v", name, len(manifests), damaged, err)
		}
		sp := spec{1, 200}
		if err := s.Verify(sp.key()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := filesBelow(t, folder); len(got) != 3 {
			t.Errorf("%s: looking unpacks: %v", name, got)
		}
		a, err := s.Do(t.Context(), stage, sp, nil, nil) // nothing has to be made
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := sp.check(a); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if inside := strings.HasPrefix(a.Dir, folder); inside != (name != "folder") {
			t.Errorf("%s: used in %s", name, a.Dir)
		}
		if _, err := s.Get(spec{7, 200}.key()); !errors.Is(err, ErrAbsent) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDamagedShippedArtifactsAreNamed(t *testing.T) {
	shipped, key := exported(t), spec{1, 200}.key()
	change(t, filepath.Join(placeOf(shipped, key), "a.txt"), flip(3))
	for name, layer := range map[string]Option{"folder": ShippedFolder(shipped),
		"in a program": Shipped(inMemory(t, shipped))} {
		s := open(t, t.TempDir(), layer)
		var damaged *Damaged
		_, err := s.Get(key)
		if !errors.As(err, &damaged) || damaged.File != "a.txt" {
			t.Errorf("%s: %v", name, err)
		}
		oneLine(t, err, string(key), "SHA-256")
		if err := s.Verify(key); !errors.As(err, &damaged) {
			t.Errorf("%s: Verify: %v", name, err)
		}
		if err := s.Verify(spec{9, 9}.key()); !errors.Is(err, ErrAbsent) {
			t.Errorf("%s: Verify: %v", name, err)
		}
		_, err = s.Repair(key)
		oneLine(t, err, "shipped with the program")
		if left := filesBelow(t, s.Folder()); len(left) != 0 {
			t.Errorf("%s: unpacked %v", name, left)
		}
	}
}

// Whoever ships artifacts may have made their manifests too.
func TestAManifestCannotNameFilesElsewhere(t *testing.T) {
	for _, name := range []string{"../../outside", "/etc/passwd", `..\..\outside`, manifestName} {
		m := do(t, open(t, t.TempDir()), spec{1, 1}).Manifest
		m.Files = map[string]File{name: {}}
		content, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		place := "artifacts/" + string(m.Key[:2]) + "/" + string(m.Key) + "/" + manifestName
		folder := t.TempDir()
		if err := os.CopyFS(folder, fstest.MapFS{place: {Data: content}}); err != nil {
			t.Fatal(err)
		}
		layers := map[string]Option{"folder": ShippedFolder(filepath.Join(folder, "artifacts")),
			"in a program": Shipped(os.DirFS(filepath.Join(folder, "artifacts")))}
		for kind, layer := range layers {
			_, err := open(t, t.TempDir(), layer).Get(m.Key)
			oneLine(t, err, "name")
			if err == nil {
				t.Errorf("%s: %q is a file of an artifact", kind, name)
			}
		}
	}
}
