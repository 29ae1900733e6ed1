package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// change edits a file of a store, even if it is read-only.
func change(t *testing.T, path string, edit func([]byte) []byte) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err == nil {
		err = os.Remove(path)
	}
	if edited := edit(content); err == nil && edited != nil {
		err = os.WriteFile(path, edited, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func flip(at int) func([]byte) []byte {
	return func(content []byte) []byte { content[(at+len(content))%len(content)] ^= 0x10; return content }
}

// Damage is found and named, and the artifact is made again on request.
func TestGet_Damage(t *testing.T) {
	remove := func([]byte) []byte { return nil }
	tests := map[string]struct {
		file string
		edit func([]byte) []byte
		says string
	}{
		"a flipped bit":       {"a.txt", flip(77), "a.txt: its SHA-256 is"},
		"a flipped bit below": {"logs/b.txt", flip(-1), "logs/b.txt: its SHA-256"},
		"a shorter file":      {"a.txt", func(c []byte) []byte { return c[:len(c)-1] }, "bytes, stored were"},
		"an empty file":       {"a.txt", func([]byte) []byte { return []byte{} }, "it has 0 bytes"},
		"a missing file":      {"logs/b.txt", remove, "logs/b.txt: it is missing"},
		"a missing manifest":  {manifestName, remove, "manifest.json: it is missing"},
		"a shorter manifest": {manifestName, func(c []byte) []byte {
			return c[:len(c)/2]
		}, "manifest.json: it is not whole JSON"},
		"an empty manifest": {manifestName, func([]byte) []byte {
			return []byte{}
		}, "manifest.json: it is not whole JSON"},
		"another note": {manifestName, replace(`"seed": 6`, `"seed": 7`),
			"manifest.json: its content has changed since it was written"},
		"another time": {manifestName, replace(`"started": "2`, `"started": "3`),
			"manifest.json: its content has changed since it was written"},
		"another spec": {manifestName, replace(`"Size": 500`, `"Size": 501`),
			"manifest.json: its content has changed since it was written"},
		"a name in another case": {manifestName, replace(`"notes"`, `"Notes"`),
			"manifest.json: its content has changed since it was written"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			folder, sp := t.TempDir(), spec{6, 500}
			made := do(t, open(t, folder), sp)
			change(t, filepath.Join(made.Dir, test.file), test.edit)
			s := open(t, folder) // a new store, which has verified nothing yet
			var damaged *Damaged
			_, err := s.Get(sp.key())
			if !errors.As(err, &damaged) || damaged.File != test.file || damaged.Key != sp.key() {
				t.Fatalf("Get: %v", err)
			}
			oneLine(t, err, made.Dir, test.says)
			if _, err := s.Do(t.Context(), stage, sp, nil, sp.write); !errors.As(err, &damaged) {
				t.Errorf("Do: %v", err)
			}
			aside, err := s.Repair(sp.key())
			if err != nil || !strings.HasPrefix(aside, filepath.Join(folder, "damaged")) {
				t.Fatalf("Repair: %q, %v", aside, err)
			}
			if err := sp.check(do(t, s, sp)); err != nil {
				t.Error(err)
			}
			if aside, err := s.Repair(sp.key()); aside != "" || err != nil {
				t.Errorf("Repair of a whole one: %q, %v", aside, err)
			}
		})
	}
}

func replace(old, new string) func([]byte) []byte {
	return func(content []byte) []byte {
		if !strings.Contains(string(content), old) {
			panic("the manifest has no " + old)
		}
		return []byte(strings.Replace(string(content), old, new, 1))
	}
}

// Every byte of a manifest matters, except for white space between its parts.
func TestManifest_FlippedBytes(t *testing.T) {
	made := do(t, open(t, t.TempDir()), spec{7, 3})
	content, err := os.ReadFile(filepath.Join(made.Dir, manifestName))
	if err != nil {
		t.Fatal(err)
	}
	for i := range content {
		changed := append([]byte(nil), content...)
		changed[i] ^= 1 << (i % 7)
		if strings.Join(strings.Fields(string(changed)), "") == strings.Join(strings.Fields(string(content)), "") {
			continue
		}
		if _, err := decodeManifest(changed, made.Key); err == nil {
			t.Fatalf("byte %d, %q: not noticed", i, content[max(0, i-20):i+1])
		}
	}
}

func TestGet_OtherName(t *testing.T) {
	folder := t.TempDir()
	made := do(t, open(t, folder), spec{8, 3})
	other := spec{9, 3}.key()
	place := placeOf(filepath.Join(folder, "artifacts"), other)
	if err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o755), os.Rename(made.Dir, place)); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, folder).Get(other)
	oneLine(t, err, "belongs to the artifact "+made.Key.short())
	for _, bad := range []Key{"", "../../../etc/passwd", other + "0", Key(strings.ToUpper(string(other)))} {
		_, err := open(t, folder).Get(bad)
		oneLine(t, err, "is not a key")
	}
}

func TestOpen_Refused(t *testing.T) {
	tests := map[string]struct {
		file, content string
		says          string
	}{
		"another version": {markerName, `{"format":"unlearnlab store","version":2}`,
			"it has format 2, this program knows format 1"},
		"something else":      {markerName, `{"name":"shop"}`, "store.json does not belong to a store"},
		"half a marker":       {markerName, `{"format":"unl`, "store.json does not belong to a store"},
		"a folder of letters": {"letter.txt", "Dear", `it is not a store: it contains "letter.txt"`},
		"plugins":             {"plugins", "", ""},
		"a hidden file":       {".DS_Store", "", ""},
	}
	for name, test := range tests {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, test.file), []byte(test.content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Open(folder)
		if test.says == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		oneLine(t, err, folder, test.says, HomeVariable)
		if left := filesBelow(t, folder); len(left) > 1 {
			t.Errorf("%s: %v", name, left)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", " ", file} {
		_, err := Open(bad)
		oneLine(t, err, "store", HomeVariable)
	}
}

func TestStore_ListRemoveSweep(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	var keys []Key
	for seed := range 3 {
		keys = append(keys, do(t, s, spec{seed, 5}).Key)
	}
	change(t, filepath.Join(placeOf(s.artifacts(), keys[1]), manifestName), flip(10))
	manifests, damaged, err := s.List()
	if err != nil || len(manifests) != 2 || manifests[0].Key != keys[0] || manifests[1].Key != keys[2] ||
		len(damaged) != 1 || damaged[0].Key != keys[1] {
		t.Errorf("%d artifacts, damaged %v, %v", len(manifests), damaged, err)
	}
	for _, key := range keys[:2] {
		if err := s.Remove(key); err != nil {
			t.Error(err)
		}
		if err := s.Remove(key); !errors.Is(err, ErrAbsent) {
			t.Errorf("removed twice: %v", err)
		}
	}
	for _, left := range []string{string(keys[0]) + "/new", string(keys[0]) + "/resume", string(keys[2]) + "/resume",
		"other"} {
		if err := os.MkdirAll(filepath.Join(folder, "work", left), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Sweep(); n != 2 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	left, err := filepath.Glob(filepath.Join(folder, "work", "*", "*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "resume" ||
		!strings.Contains(left[0], string(keys[0])) {
		t.Errorf("left %v, %v", left, err)
	}
	if err := s.Remove(keys[0]); err != nil {
		t.Errorf("removing checkpoints: %v", err)
	}
	if manifests, damaged, err := s.List(); err != nil || len(manifests) != 1 || len(damaged) != 0 {
		t.Errorf("%v, %v, %v", manifests, damaged, err)
	}
}
