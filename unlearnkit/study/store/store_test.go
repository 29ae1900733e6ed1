package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var stage = Stage{"test/stage", 1}

// spec determines a test's artifact. content returns what its files contain.
type spec struct {
	Seed int
	Size int
}

func (s spec) content() []byte {
	return []byte(strings.Repeat(fmt.Sprintf("%d-%d;", s.Seed, s.Size), s.Size))
}

func (s spec) key() Key {
	key, err := KeyOf(stage, s)
	if err != nil {
		panic(err)
	}
	return key
}

// write makes the artifact of a spec: one file in a single write, and one in many writes.
func (s spec) write(_ context.Context, w *Work) error {
	w.Note("seed", s.Seed)
	if err := os.WriteFile(w.Path("a.txt"), s.content(), 0o644); err != nil {
		return err
	}
	file, err := w.File("logs/b.txt")
	if err != nil {
		return err
	}
	for _, b := range [][]byte{s.content(), s.content()} {
		if _, err := file.Write(b); err != nil {
			return err
		}
	}
	return file.Close()
}

// check reads the files of an artifact and compares them with the expected content.
func (s spec) check(a *Artifact) error {
	one, err := a.ReadFile("a.txt")
	two, err2 := a.ReadFile("logs/b.txt")
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if string(one) != string(s.content()) || string(two) != string(s.content())+string(s.content()) {
		return fmt.Errorf("the artifact of %v has %d and %d bytes: a part", s, len(one), len(two))
	}
	if string(a.Manifest.Notes["seed"]) != fmt.Sprint(s.Seed) {
		return fmt.Errorf("the artifact of %v has the notes %s", s, a.Manifest.Notes)
	}
	return nil
}

func open(t *testing.T, folder string, options ...Option) *Store {
	t.Helper()
	s, err := Open(folder, options...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func do(t *testing.T, s *Store, sp spec) *Artifact {
	t.Helper()
	a, err := s.Do(t.Context(), stage, sp, nil, sp.write)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// oneLine checks that an error has one line and contains the given parts.
func oneLine(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Error("no error")
		return
	}
	for _, part := range append(parts, "") {
		if !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q, want %q in one line", err, part)
		}
	}
}

// filesBelow lists all files of a folder except the marker.
func filesBelow(t *testing.T, folder string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(folder, path); err == nil && !entry.IsDir() && name != markerName {
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func Example() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	results, err := Open(folder, MadeBy("go", "avx2"))
	if err != nil {
		panic(err)
	}
	square := func(n int) (*Artifact, error) {
		return results.Do(context.Background(), Stage{"square", 1}, map[string]int{"n": n}, nil,
			func(_ context.Context, w *Work) error {
				fmt.Println("computing")
				w.Note("multiplications", 1)
				return os.WriteFile(w.Path("square.txt"), []byte(fmt.Sprint(n*n)), 0o644)
			})
	}
	for range 2 {
		artifact, err := square(12)
		if err != nil {
			panic(err)
		}
		content, err := artifact.ReadFile("square.txt")
		fmt.Printf("%s %v, %s multiplication on %s\n", content, err, artifact.Manifest.Notes["multiplications"],
			artifact.Manifest.Backend)
	}
	// Output:
	// computing
	// 144 <nil>, 1 multiplication on go
	// 144 <nil>, 1 multiplication on go
}

func TestDo_Once(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "store")
	s, sp := open(t, folder, MadeBy("xla:cpu", "avx512")), spec{1, 1000}
	if _, err := s.Get(sp.key()); !errors.Is(err, ErrAbsent) {
		t.Errorf("before: %v", err)
	}
	input := spec{9, 9}.key()
	before := time.Now()
	var resume string
	made, err := s.Do(t.Context(), stage, sp, []Key{input, input}, func(ctx context.Context, w *Work) error {
		resume = w.Resume()
		w.Measure("speed", 1.5)
		w.Note("warnings", []string{"<none>"})
		return errors.Join(os.WriteFile(filepath.Join(resume, "checkpoint"), nil, 0o644), sp.write(ctx, w))
	})
	if err != nil {
		t.Fatal(err)
	}
	m := made.Manifest
	if m.Key != sp.key() || m.Stage != stage.Name || m.Version != 1 || string(m.Spec) != `{"Seed":1,"Size":1000}` ||
		!cmp.Equal(m.Inputs, []Key{input}) ||
		m.Backend != "xla:cpu" || m.SIMD != "avx512" || m.Go == "" || m.System == "" ||
		m.Modules["github.com/unlearnlab/unlearnlab"] == "" ||
		m.Started.Before(before.Add(-time.Second)) || m.Wall <= 0 || m.CPU < 0 || m.PeakMemory < 1<<20 ||
		string(m.Measured["speed"]) != "1.5" {
		t.Errorf("manifest %+v", m)
	}
	if f := m.Files["logs/b.txt"]; len(m.Files) != 2 || f.Size != 2*int64(len(sp.content())) {
		t.Errorf("files %v", m.Files)
	}
	for i, s := range []*Store{s, open(t, folder)} {
		again, err := s.Do(t.Context(), stage, sp, []Key{input}, func(context.Context, *Work) error {
			t.Error("made again")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(made, again, cmp.AllowUnexported(Artifact{})); diff != "" {
			t.Errorf("store %d: %s", i, diff)
		}
		if err := sp.check(again); err != nil {
			t.Error(err)
		}
	}
	if got := filesBelow(t, folder); len(got) != 3 {
		t.Errorf("the store has more than the artifact: %v", got)
	}
	if _, err := os.Stat(resume); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of checkpoints is still there: %v", err)
	}
	if _, err := s.Do(t.Context(), stage, sp, nil, sp.write); err == nil ||
		!strings.Contains(err.Error(), "other inputs") {
		t.Errorf("other inputs: %v", err)
	}
}

// A store that another process is making is not refused as a foreign folder.
func TestOpen_WhileMade(t *testing.T) {
	for range 100 {
		folder := t.TempDir()
		var other sync.WaitGroup
		other.Go(func() {
			s, err := Open(folder)
			if err == nil {
				err = s.Make()
			}
			if err != nil {
				t.Error(err)
			}
		})
		for made := false; !made && !t.Failed(); {
			var err error
			if made, err = Examine(folder); err != nil {
				t.Error(err)
			}
		}
		other.Wait()
	}
}

func TestArtifact_Names(t *testing.T) {
	sp := spec{1, 1}
	a, err := open(t, t.TempDir(), MadeBy("go", "avx2")).Do(t.Context(), stage, sp, nil,
		func(ctx context.Context, w *Work) error {
			w.MadeBy("xla:cpu", "")
			return sp.write(ctx, w)
		})
	if err != nil {
		t.Fatal(err)
	}
	if a.Manifest.Backend != "xla:cpu" || a.Manifest.SIMD != Unknown || a.Has("absent") || !a.Has("logs/b.txt") {
		t.Errorf("%+v", a.Manifest)
	}
	_, err = a.ReadFile("absent")
	oneLine(t, err, `no file "absent", it has a.txt, logs/b.txt`)
	_, err = a.Open("../a.txt")
	oneLine(t, err, "no file")
	defer func() {
		if recover() == nil {
			t.Error("there is a path to a file that is not there")
		}
	}()
	a.Path("absent")
}

// A stage that fails stores nothing, and its checkpoints remain.
func TestDo_Failure(t *testing.T) {
	folder := t.TempDir()
	s, sp := open(t, folder), spec{2, 10}
	boom := errors.New("boom")
	tests := map[string]struct {
		make func(context.Context, *Work) error
		says string
	}{
		"an error": {func(_ context.Context, w *Work) error {
			path := filepath.Join(w.Resume(), "checkpoint")
			return errors.Join(os.WriteFile(path, []byte("step 5"), 0o644), os.WriteFile(w.Path("half"), nil, 0o644),
				boom)
		}, "boom"},
		"a file not closed": {func(_ context.Context, w *Work) error {
			_, err := w.File("open.txt")
			return err
		}, "not closed open.txt"},
		"an ignored error of writing": {func(_ context.Context, w *Work) error {
			f, _ := w.File("x")
			f.(*workFile).file.Close()
			f.Write([]byte("lost")) //nolint:errcheck // ignoring the error is the test
			f.Close()
			return nil
		}, "file already closed"},
		"a note that is no number": {func(_ context.Context, w *Work) error {
			w.Note("loss", func() {})
			return nil
		}, `the note "loss"`},
		"a link": {func(_ context.Context, w *Work) error {
			return os.Symlink("/etc/passwd", w.Path("link"))
		}, "link is not a regular file"},
		"a name that leads out": {func(_ context.Context, w *Work) error {
			_, err := w.File("../x")
			return err
		}, "is not a valid name"},
		"the manifest's name": {func(_ context.Context, w *Work) error {
			return os.WriteFile(filepath.Join(w.Dir(), manifestName), nil, 0o644)
		}, "is not a valid name"},
	}
	for name, test := range tests {
		_, err := s.Do(t.Context(), stage, sp, nil, test.make)
		if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), stage.Name) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := s.Get(sp.key()); !errors.Is(err, ErrAbsent) {
			t.Errorf("%s: stored, %v", name, err)
		}
	}
	func() {
		// nolint:errcheck // the maker panics
		defer func() { recover() }()
		// nolint:errcheck
		s.Do(t.Context(), stage, sp, nil, func(_ context.Context, w *Work) error {
			w.Path("a")
			panic(w.Path("../../escape"))
		})
	}()
	if got := filesBelow(t, folder); len(got) != 1 || !strings.HasSuffix(got[0], "resume/checkpoint") {
		t.Errorf("left: %v", got)
	}
	_, err := s.Do(t.Context(), stage, sp, nil, func(ctx context.Context, w *Work) error {
		if got, err := os.ReadFile(filepath.Join(w.Resume(), "checkpoint")); string(got) != "step 5" {
			t.Errorf("resumes from %q, %v", got, err)
		}
		return sp.write(ctx, w)
	})
	if err != nil {
		t.Error(err)
	}
}

func TestDo_Concurrent(t *testing.T) {
	folder, sp := t.TempDir(), spec{3, 1000}
	stores := []*Store{open(t, folder), open(t, folder)}
	var made atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			a, err := stores[i%2].Do(t.Context(), stage, sp, nil, func(ctx context.Context, w *Work) error {
				made.Add(1)
				time.Sleep(20 * time.Millisecond)
				return sp.write(ctx, w)
			})
			if err == nil {
				err = sp.check(a)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
	if entries, _ := os.ReadDir(filepath.Join(folder, "locks")); len(entries) != 0 {
		t.Errorf("locks left: %v", entries)
	}
}

// Waiting ends with its context, and TryDo does not wait.
func TestDo_Context(t *testing.T) {
	s, sp := open(t, t.TempDir()), spec{4, 1}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Do(t.Context(), stage, sp, nil, func(inner context.Context, w *Work) error {
		if _, err := s.TryDo(t.Context(), stage, sp, nil, sp.write); !errors.Is(err, ErrBusy) {
			t.Errorf("TryDo: %v", err)
		}
		time.AfterFunc(5*time.Millisecond, cancel)
		if _, err := s.Do(ctx, stage, sp, nil, sp.write); !errors.Is(err, context.Canceled) {
			t.Errorf("Do: %v", err)
		}
		return sp.write(inner, w)
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.TryDo(ctx, stage, sp, nil, nil); err != nil {
		t.Errorf("what is there needs no time: %v", err)
	}
	if _, err := s.Do(ctx, stage, spec{5, 1}, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("begun after the end of its context: %v", err)
	}
}

// An artifact that appears during the search is read whole.
func TestGet_Appearing(t *testing.T) {
	s := open(t, t.TempDir())
	key := do(t, s, spec{1, 1}).Key
	m, err := folders{&appearing{FS: os.DirFS(s.artifacts())}, s.artifacts()}.manifest(key)
	if err != nil || m.Key != key {
		t.Errorf("%v, %v", m.Key, err)
	}
}

// A lock on a removed file protects nothing, and is taken anew.
func TestLock_RemovedFile(t *testing.T) {
	s, key := open(t, t.TempDir()), spec{1, 1}.key()
	first, err := s.lock(t.Context(), key, false)
	if err != nil {
		t.Fatal(err)
	}
	waiter, err := os.Open(first.file.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer waiter.Close()
	if !isAt(waiter, first.file.Name()) {
		t.Error("the file is not where it was opened")
	}
	first.release()
	second, err := s.lock(t.Context(), key, false)
	if err != nil {
		t.Fatal(err)
	}
	defer second.release()
	if isAt(waiter, second.file.Name()) {
		t.Error("a waiter takes the removed file for the one at its path")
	}
}

func TestData_Concurrent(t *testing.T) {
	folder := t.TempDir()
	if data, err := open(t, folder).Data(); len(data) != 0 || err != nil {
		t.Errorf("%v, %v", data, err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := open(t, folder).SetData(fmt.Sprint("salmu/", i%4), fmt.Sprint("relative/", i%4)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	data, err := open(t, folder).Data()
	if here, _ := filepath.Abs("."); len(data) != 4 || err != nil ||
		data["salmu/3"] != filepath.Join(here, "relative", "3") {
		t.Errorf("%v, %v", data, err)
	}
	if err := os.WriteFile(filepath.Join(folder, settingsName), []byte(`{"data": 3`), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = open(t, folder).Data()
	oneLine(t, err, settingsName, "import the data again")
	oneLine(t, open(t, folder).SetData("a", "b"), settingsName)
}

// An absent store is empty. Reading does not create it, and the first write does.
func TestOpen_Absent(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "store")
	s, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	if manifests, damaged, err := s.List(); len(manifests)+len(damaged) > 0 || err != nil {
		t.Errorf("an absent store lists %v, %v, %v", manifests, damaged, err)
	}
	if data, err := s.Data(); len(data) > 0 || err != nil {
		t.Errorf("an absent store has data %v, %v", data, err)
	}
	if n, err := s.Sweep(); n > 0 || err != nil {
		t.Errorf("an absent store sweeps %d, %v", n, err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("reading has created the folder")
	}
	if err := s.SetData("a", folder); err != nil {
		t.Fatal(err)
	}
	if made, err := Examine(folder); !made || err != nil {
		t.Errorf("the store is made: %v, %v", made, err)
	}
	below, err := Open(filepath.Join(folder, markerName, "store")) // below a file
	if err != nil {
		t.Fatal(err)
	}
	if err := below.SetData("a", folder); err == nil || !strings.Contains(err.Error(), HomeVariable) {
		t.Errorf("a store below a file: %v", err)
	}
	if _, err := Open(filepath.Join(folder, markerName)); err == nil {
		t.Error("a file is opened as a store")
	}
}
