package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Work is an artifact while it is made. Its methods may be called from several goroutines.
type Work struct {
	Key    Key
	dir    string
	resume string
	madeBy madeBy

	mu       sync.Mutex
	notes    map[string]json.RawMessage
	measured map[string]json.RawMessage
	open     map[*workFile]bool
	failed   error // the first failure, in case that the stage does not return it
}

// begin makes the folder of a new attempt. What a killed one has left there is of no use; its resume folder stays.
func (s *Store) begin(key Key) (*Work, error) {
	folder := s.workFolder(key)
	w := &Work{
		Key: key, dir: filepath.Join(folder, "new"), resume: filepath.Join(folder, "resume"), madeBy: s.madeBy,
		notes: map[string]json.RawMessage{}, measured: map[string]json.RawMessage{}, open: map[*workFile]bool{},
	}
	if err := os.RemoveAll(w.dir); err != nil {
		return nil, err
	}
	return w, os.MkdirAll(w.dir, 0o755)
}

// Dir is the folder that becomes the artifact.
func (w *Work) Dir() string { return w.dir }

// Path is where a file of the artifact has to be written; the folders above it are there. It panics where name is no
// relative path with slashes.
func (w *Work) Path(name string) string {
	if err := CheckName(name); err != nil {
		panic(err)
	}
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.fail(err) // who opens the path fails as well
	}
	return path
}

// File creates a file of the artifact. It must be closed before the stage ends.
func (w *Work) File(name string) (io.WriteCloser, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	file, err := os.Create(w.Path(name))
	if err != nil {
		return nil, err
	}
	f := &workFile{file, w}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open[f] = true
	return f, nil
}

// workFile tells its Work what went wrong, so that no truncated file is published where a stage ignores an error.
type workFile struct {
	file *os.File
	work *Work
}

func (f *workFile) Write(content []byte) (int, error) {
	n, err := f.file.Write(content)
	f.work.fail(err)
	return n, err
}

func (f *workFile) Close() error {
	err := f.file.Close()
	if !errors.Is(err, os.ErrClosed) {
		f.work.fail(err)
	}
	f.work.mu.Lock()
	defer f.work.mu.Unlock()
	delete(f.work.open, f)
	return err
}

// Note puts a fact about the result into its manifest: examples and passes seen, warnings. A second run must give the
// same; what it need not give is for [Work.Measure].
func (w *Work) Note(name string, value any) { w.put(w.notes, name, value) }

// Measure puts a fact about this run into the manifest, such as a speed.
func (w *Work) Measure(name string, value any) { w.put(w.measured, name, value) }

func (w *Work) put(facts map[string]json.RawMessage, name string, value any) {
	canonical, err := Canonical(value)
	if err != nil {
		w.fail(fmt.Errorf("the note %q: %w", name, err))
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	facts[name] = canonical
}

// MadeBy gives the device that computes and its instruction set, where they are others than the store's.
func (w *Work) MadeBy(backend, simd string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.madeBy = madeBy{backend, simd}
}

// Resume is a folder for checkpoints. What an attempt puts there the next attempt at the same key finds, however the
// first one ended; it is removed when the artifact is complete. Files in it must be written so that they are whole or
// not there, since an attempt can be killed in the middle.
func (w *Work) Resume() (folder string) {
	if err := os.MkdirAll(w.resume, 0o755); err != nil {
		w.fail(err)
	}
	return w.resume
}

func (w *Work) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil {
		w.failed = err
	}
}

// end closes what is still open and says whether the artifact is complete.
func (w *Work) end() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for f := range w.open {
		f.file.Close()
		if w.failed == nil {
			w.failed = fmt.Errorf("the stage has not closed %s", filepath.Base(f.file.Name()))
		}
	}
	return w.failed
}

// meter measures a run.
type meter struct {
	started time.Time
	cpu     time.Duration
}

func startMeter() meter {
	cpu, _ := usage()
	return meter{time.Now(), cpu}
}

func (m meter) run(measured map[string]json.RawMessage) Run {
	cpu, peak := usage()
	return Run{
		Started: m.started.UTC().Round(time.Millisecond), Wall: time.Since(m.started).Round(time.Microsecond).Seconds(),
		CPU: (cpu - m.cpu).Round(time.Microsecond).Seconds(), PeakMemory: peak, Measured: measured,
	}
}
