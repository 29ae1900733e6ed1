// Package publishtest checks publications for the tests of packages that publish.
package publishtest

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Limits of what ships, to keep the history of the repository small.
const (
	mostFiles = 60   // of a study
	mostBytes = 20e6 // of a preset
)

// Whole checks that every published run has the key of its spec and intact files, and that its manifest describes what
// made it completely.
func Whole(t *testing.T, shelf *publish.Shelf) {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.Above(shelf))
	if err != nil {
		t.Fatal(err)
	}
	records, err := shelf.Records()
	if err != nil || len(records) == 0 {
		t.Fatalf("%d runs are published, %v", len(records), err)
	}
	for _, r := range records {
		m := r.Manifest
		if err := s.Verify(m.Key); err != nil {
			t.Errorf("%s: %v", r.Title, err)
		}
		for what, text := range map[string]string{"title": r.Title, "method": r.Method, "SIMD": m.SIMD, "Go": m.Go,
			"backend": m.Backend, "processor": m.Processor, "revision": m.Revision, "system": m.System} {
			if text == "" {
				t.Errorf("%s: nothing is said of its %s", r.Title, what)
			}
		}
		if len(m.Files) == 0 || len(m.Modules) == 0 || m.Wall <= 0 || m.PeakMemory <= 0 || m.Started.IsZero() {
			t.Errorf("%s: %d files, %d modules, %v s, %d bytes, %v", r.Title, len(m.Files), len(m.Modules), m.Wall,
				m.PeakMemory, m.Started)
		}
	}
}

// Versions checks that every method ships in the version given in versions, and that no other method ships.
func Versions(t *testing.T, shelf *publish.Shelf, versions map[string]int) {
	t.Helper()
	records, err := shelf.Records()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range records {
		if r.Version == 0 {
			continue
		}
		if seen[r.Method] = true; versions[r.Method] != r.Version {
			t.Errorf("%s: version %d of %s ships, the presets state %d", r.Title, r.Version, r.Method,
				versions[r.Method])
		}
	}
	if len(seen) != len(versions) {
		t.Errorf("%d methods ship, the presets have %d", len(seen), len(versions))
	}
}

// FewFiles checks that the publications of a study, each in a folder of the current folder, have few files together.
func FewFiles(t *testing.T, shelf *publish.Shelf) {
	t.Helper()
	files := 0
	for _, preset := range presets(t, shelf, ".") {
		files += Small(t, preset)
	}
	if files > mostFiles {
		t.Errorf("the study publishes %d files, at most %d are allowed", files, mostFiles)
	}
}

// Small checks that the publication in a folder is small, and that all its files belong to a run. It returns their
// number. The tables in each subfolder must have the same columns and types, so that tools can read a subfolder at once.
func Small(t *testing.T, folder string) int {
	t.Helper()
	known := map[string]bool{publish.RunsFile: true, publish.FilesFile: true, publish.BuildsFile: true}
	for _, name := range filesIn(t, path.Join(folder, publish.FilesFile)) {
		known[name] = true
	}
	count, size := 0, int64(0)
	columns := map[string][]safefile.Column{}
	system := os.DirFS(folder)
	err := fs.WalkDir(system, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if count, size = count+1, size+info.Size(); !known[name] {
			t.Errorf("%s is a file of no run", name)
		}
		if path.Ext(name) != ".parquet" {
			return nil
		}
		own, err := columnsOf(system, name)
		if first := columns[path.Dir(name)]; first != nil {
			if diff := cmp.Diff(first, own); diff != "" {
				t.Errorf("%s has other columns than its neighbours: %s", name, diff)
			}
		}
		columns[path.Dir(name)] = own
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > mostBytes {
		t.Errorf("%s has %.1f MB, at most %.0f MB are allowed", folder, float64(size)/1e6, mostBytes/1e6)
	}
	if len(columns) == 0 {
		t.Errorf("%s has no tables", folder)
	}
	return count
}

// Unzipped returns the content of a file that gzip compressed.
func Unzipped(t *testing.T, path string) []byte {
	t.Helper()
	source, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	reader, err := gzip.NewReader(source)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// filesIn returns the files listed in a table.
func filesIn(t *testing.T, table string) (files []string) {
	t.Helper()
	lines, err := csv.NewReader(bytes.NewReader(Unzipped(t, table))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(lines[0], "file")
	for _, line := range lines[1:] {
		files = append(files, line[at])
	}
	return files
}

// columnsOf returns a table's columns without rows.
func columnsOf(system fs.FS, name string) ([]safefile.Column, error) {
	file, err := system.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	table, err := safefile.OpenTable(name, file.(io.ReaderAt), info.Size())
	if err != nil {
		return nil, err
	}
	frame, err := table.Read(0, 1)
	if err != nil {
		return nil, err
	}
	columns := slices.Clone(frame.Columns)
	for i, column := range columns {
		columns[i] = safefile.Column{Name: column.Name, Type: column.Type}
		if column.Texts != nil {
			columns[i].Texts = []string{}
		}
	}
	return columns, nil
}

// presets checks that the program embeds all publications in a folder, and returns their names.
func presets(t *testing.T, shelf *publish.Shelf, folder string) []string {
	t.Helper()
	embedded, err := shelf.Folders()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var there []string
	for _, entry := range entries {
		if entry.IsDir() {
			there = append(there, entry.Name())
		}
	}
	if !slices.Equal(embedded, there) {
		t.Errorf("embedded are %s, in the folder are %s", strings.Join(embedded, ", "), strings.Join(there, ", "))
	}
	return embedded
}
