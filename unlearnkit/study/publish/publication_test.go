package publish_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// spec determines a test's run, which makes scores, a picture and a model.
type spec struct {
	Method  string
	Version int
	World   int
}

var stage = store.Stage{Name: "publication/test", Version: 1}

// rows returns the scores of a run.
func (s spec) rows() []safefile.Column {
	value := float64(len(s.Method) + 10*s.Version + 100*s.World)
	return []safefile.Column{{Name: "id", Texts: []string{"a", "b"}},
		{Name: "score", Values: []float64{value, value / 2}, Type: safefile.AsFloat}}
}

func (s spec) write(_ context.Context, w *store.Work) error {
	w.Note("rows", 2)
	w.Measure("speed", 1.5)
	return errors.Join(safefile.WriteParquet(w.Path("scores.parquet"), s.rows()),
		os.WriteFile(w.Path("model.bin"), []byte("model of "+s.Method), 0o644),
		os.WriteFile(w.Path("seen.png"), []byte("picture of "+s.Method), 0o644))
}

// made makes the artifacts of some specs in a store and returns them as runs to publish.
func made(t *testing.T, s *store.Store, specs ...spec) (runs []publish.Run) {
	t.Helper()
	for _, sp := range specs {
		artifact, err := s.Do(t.Context(), stage, sp, nil, sp.write)
		if err != nil {
			t.Fatal(err)
		}
		key := string(artifact.Key)
		record := publish.Record{Title: "run of " + sp.Method, Method: sp.Method, Version: sp.Version,
			Repetition: sp.World, Budgets: []int{1, 5}}
		runs = append(runs, publish.Run{Record: record, Artifact: artifact,
			Place: func(name string) publish.Place {
				switch filepath.Ext(name) {
				case ".parquet":
					return publish.Place{File: "scores/" + sp.Method + ".parquet", Labels: []publish.Label{
						publish.Text("key", key), publish.Count("world", sp.World),
						publish.Number("rate", .5)}}
				case ".png":
					return publish.Place{File: "pictures-" + sp.Method + ".zip", Member: key + "/" + name}
				}
				return publish.Place{File: "models/" + key + "/" + name}
			}})
	}
	return runs
}

func open(t *testing.T, options ...store.Option) *store.Store {
	t.Helper()
	s, err := store.Open(t.TempDir(), options...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var specs = []spec{{"direct", 1, 0}, {"direct", 1, 1}, {"delete", 2, 0}}

// written publishes runs of the specs in a new folder.
func written(t *testing.T, specs ...spec) (folder string, runs []publish.Run) {
	t.Helper()
	folder, runs = t.TempDir(), made(t, open(t), specs...)
	if err := publish.Write(folder, runs); err != nil {
		t.Fatal(err)
	}
	return folder, runs
}

func TestPublish_Artifact(t *testing.T) {
	folder, runs := written(t, specs...)
	s := open(t, store.Above(publish.Open(os.DirFS(folder), folder)))
	for i, run := range runs {
		artifact, err := s.Do(t.Context(), stage, specs[i], nil, nil) // the artifact exists, so nothing is made
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(run.Artifact.Manifest, artifact.Manifest); diff != "" {
			t.Error(diff)
		}
		frame, err := artifact.ReadTable("scores.parquet")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(specs[i].rows(), frame.Columns); diff != "" {
			t.Errorf("mismatch (-specs[i].rows() +frame.Columns):\n%s", diff)
		}
		for _, name := range []string{"model.bin", "seen.png"} {
			want, err := run.Artifact.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := artifact.ReadFile(name); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is %q, %v", name, got, err)
			}
		}
		if _, err := artifact.Open("scores.parquet"); !errors.Is(err, store.ErrTable) {
			t.Error(err)
		}
		if err := s.Verify(artifact.Key); err != nil {
			t.Error(err)
		}
		if err := store.Same(run.Artifact, artifact); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Get(store.Key(strings.Repeat("0", 64))); !errors.Is(err, store.ErrAbsent) {
		t.Error(err)
	}
}

// A file without a place is left out, and the artifact is valid without it.
func TestPublish_LeftOut(t *testing.T) {
	folder, runs := t.TempDir(), made(t, open(t), specs...)
	for i := range runs {
		place := runs[i].Place
		runs[i].Place = func(name string) publish.Place {
			if name == "model.bin" {
				return publish.Place{}
			}
			return place(name)
		}
	}
	if err := publish.Write(folder, runs); err != nil {
		t.Fatal(err)
	}
	s := open(t, store.Above(publish.Open(os.DirFS(folder), folder)))
	for _, run := range runs {
		artifact, err := s.Get(run.Artifact.Key)
		if err != nil {
			t.Fatal(err)
		}
		if names := artifact.Names(); !slices.Equal(names, []string{"scores.parquet", "seen.png"}) {
			t.Errorf("got files %q, want scores.parquet and seen.png", names)
		}
		if err := s.Verify(artifact.Key); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "models")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("models are published: %v", err)
	}
}

func TestPublish_Labels(t *testing.T) {
	s := open(t)
	var runs []publish.Run
	for world := range 2 {
		artifact, err := s.Do(t.Context(), stage, spec{"looks", 1, world}, nil,
			func(_ context.Context, w *store.Work) error {
				rows := spec{"looks", 1, world}.rows()
				return errors.Join(safefile.WriteParquet(w.Path("look-1.parquet"), rows),
					safefile.WriteParquet(w.Path("look-2.parquet"), rows))
			})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, publish.Run{Artifact: artifact, Place: func(name string) publish.Place {
			return publish.Place{File: "looks.parquet", Labels: []publish.Label{
				publish.Text("key", string(artifact.Key)), publish.Number("rate", math.NaN()),
				publish.Count("world", world), publish.Text("look", name[5:6])}}
		}})
		here, err := artifact.Locate("look-1.parquet")
		if err != nil || here.Path != artifact.Path("look-1.parquet") || here.Labels != nil {
			t.Errorf("in its folder: %+v, %v", here, err)
		}
	}
	folder := t.TempDir()
	if err := publish.Write(folder, runs); err != nil {
		t.Fatal(err)
	}
	shelf := publish.Open(os.DirFS(folder), "published")
	artifact, err := shelf.Get(runs[1].Artifact.Key)
	if err != nil {
		t.Fatal(err)
	}
	at, err := artifact.Locate("look-2.parquet")
	want := store.Location{Path: "published/looks.parquet", First: 6, Labels: []safefile.Column{
		{Name: "key", Texts: []string{string(artifact.Key)}}, {Name: "look", Texts: []string{"2"}}}}
	if diff := cmp.Diff(want, at); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if _, err := artifact.Locate("look-3.parquet"); err == nil {
		t.Error("a file that is not there has a place")
	}
}

func TestPublish_Again(t *testing.T) {
	folder, _ := written(t, specs...)
	s, again := open(t, store.Above(publish.Open(os.DirFS(folder), folder))), t.TempDir()
	if err := publish.Write(again, made(t, s, specs...)); err != nil {
		t.Fatal(err)
	}
	if changed := differences(t, folder, again); len(changed) > 0 {
		t.Errorf("other bytes in %v", changed)
	}
}

// differences returns the names of files that only one of two folders has, or that differ.
func differences(t *testing.T, a, b string) (names []string) {
	t.Helper()
	content := func(folder string) map[string]string {
		files := map[string]string{}
		err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				var text []byte
				text, err = os.ReadFile(filepath.Join(folder, name))
				files[name] = string(text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	first, second := content(a), content(b)
	for name := range first {
		if first[name] != second[name] {
			names = append(names, name)
		}
	}
	for name := range second {
		if _, shared := first[name]; !shared {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// A new version of a method changes only this method's files and the tables of runs and files.
func TestPublish_OtherVersion(t *testing.T) {
	folder, _ := written(t, specs...)
	s, again := open(t, store.Above(publish.Open(os.DirFS(folder), folder))), t.TempDir()
	bumped := slices.Clone(specs)
	bumped[2].Version++
	if err := publish.Write(again, made(t, s, bumped...)); err != nil {
		t.Fatal(err)
	}
	changed := strings.Join(differences(t, folder, again), " ")
	for _, expected := range []string{"scores/delete.parquet", "pictures-delete.zip", publish.RunsFile,
		publish.FilesFile} {
		if !strings.Contains(changed, expected) {
			t.Errorf("%s is the same", expected)
		}
	}
	if strings.Contains(changed, "direct") {
		t.Errorf("changed are %s", changed)
	}
}

func TestPublish_RemovesFiles(t *testing.T) {
	folder, _ := written(t, specs...)
	mine := filepath.Join(folder, "README.md")
	if err := os.WriteFile(mine, []byte("about"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := publish.Write(folder, made(t, open(t), specs[:2]...)); err != nil {
		t.Fatal(err)
	}
	want, _ := written(t, specs[:2]...)
	if changed := differences(t, folder, want); !slices.Contains(changed, "README.md") ||
		slices.ContainsFunc(changed, func(name string) bool { return strings.Contains(name, "delete") }) {
		t.Errorf("left are %v", changed)
	}
}

func TestOpen_AnyPreset(t *testing.T) {
	system := fstest.MapFS{}
	for preset, of := range map[string][]spec{"mini": specs, "quick": {specs[0], {"delete", 2, 7}}} {
		folder, _ := written(t, of...)
		err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				var text []byte
				text, err = os.ReadFile(filepath.Join(folder, name))
				system[preset+"/"+name] = &fstest.MapFile{Data: text}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	shelf := publish.Open(system, "results")
	if folders, err := shelf.Folders(); err != nil || !slices.Equal(folders, []string{"mini", "quick"}) {
		t.Errorf("got %v, %v, want folders %v", folders, err, []string{"mini", "quick"})
	}
	s := open(t, store.Above(shelf))
	for _, sp := range append(slices.Clone(specs), spec{"delete", 2, 7}) {
		artifact, err := s.Do(t.Context(), stage, sp, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Verify(artifact.Key); err != nil {
			t.Error(err)
		}
	}
	if keys, err := shelf.Keys(); err != nil || len(keys) != 4 {
		t.Errorf("got %v, %v, want 4 keys", keys, err)
	}
}

func TestOpen_Damaged(t *testing.T) {
	for name, change := range map[string]struct {
		file     string
		from, to string
		says     string
	}{
		"another spec":      {publish.RunsFile, `""World"":1`, `""World"":7`, "its key is not the key of its spec"},
		"other rows":        {publish.FilesFile, "2,2,", "1,2,", "SHA-256"},
		"rows that are not": {publish.FilesFile, "2,2,", "7,2,", "it has 4 rows"},
		"a table's head": {publish.RunsFile, "key,title", "key,name",
			"its columns are not the columns of a publication"},
		"no number": {publish.FilesFile, "2,2,", "two,2,", "first_row"},
		"a place elsewhere": {publish.FilesFile, "scores/direct.parquet", "../../direct.parquet",
			"is not a valid file name"},
		"a name elsewhere": {publish.FilesFile, ",scores.parquet", ",../scores.parquet", "is not a valid file name"},
	} {
		folder, runs := written(t, specs...)
		path := filepath.Join(folder, change.file)
		content := string(publishtest.Unzipped(t, path))
		if !strings.Contains(content, change.from) {
			t.Fatalf("%s: got\n%s, want %q in it", name, content, change.from)
		}
		writeZipped(t, path, strings.ReplaceAll(content, change.from, change.to))
		s := open(t, store.Above(publish.Open(os.DirFS(folder), folder)))
		err := s.Verify(runs[1].Artifact.Key)
		if err == nil || !strings.Contains(err.Error(), change.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got the error %v, want one with %q", name, err, change.says)
		}
	}
}

func TestOpen_NotCompressed(t *testing.T) {
	folder, runs := written(t, specs...)
	if err := os.WriteFile(filepath.Join(folder, publish.RunsFile), []byte("key,title\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := open(t, store.Above(publish.Open(os.DirFS(folder), folder))).Verify(runs[1].Artifact.Key)
	if err == nil || !strings.Contains(err.Error(), "runs.csv.gz: gzip") {
		t.Errorf("a table that is not compressed: %v", err)
	}
}

// writeZipped writes text to a file that gzip compresses.
func writeZipped(t *testing.T, path, text string) {
	t.Helper()
	var content bytes.Buffer
	writer := gzip.NewWriter(&content)
	_, err := io.WriteString(writer, text)
	if err := errors.Join(err, writer.Close(), os.WriteFile(path, content.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func TestWrite_TwoRuns(t *testing.T) {
	runs := made(t, open(t), specs...)
	runs[1].Place = runs[0].Place
	for i := range runs[:2] {
		place := runs[i].Place
		runs[i].Place = func(name string) publish.Place {
			if name == "model.bin" {
				return publish.Place{File: "model.bin"}
			}
			return place(name)
		}
	}
	if err := publish.Write(t.TempDir(), runs); err == nil || !strings.Contains(err.Error(), "model.bin") {
		t.Error(err)
	}
	if err := publish.Write(t.TempDir(), []publish.Run{runs[0], runs[0]}); err == nil {
		t.Error("a run is published twice")
	}
}
