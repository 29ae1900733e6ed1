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

// Work is an artifact that is being made. Several goroutines may call its methods.
type Work struct {
	Key    Key
	dir    string
	resume string
	madeBy device

	mu       sync.Mutex
	notes    map[string]json.RawMessage
	measured map[string]json.RawMessage
	open     map[*workFile]bool
	failed   error // first failure, kept in case the stage does not return it
}

// begin creates the folder of a new attempt. It deletes the files of a killed attempt but keeps its checkpoints.
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

// Dir returns the folder that becomes the artifact.
func (w *Work) Dir() string { return w.dir }

// Path returns the path for writing a file of the artifact, and creates its parent folders. It panics if name is not a
// relative path with slashes.
func (w *Work) Path(name string) string {
	if err := CheckName(name); err != nil {
		panic(err)
	}
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.fail(err) // opening the path fails as well
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

// workFile records write errors in its Work, so that no truncated file is published if a stage ignores an error.
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

// Note records a fact about the result in the manifest, such as the number of examples. A second run must reproduce it;
// use [Work.Measure] for other facts.
func (w *Work) Note(name string, value any) { w.put(w.notes, name, value) }

// Measure records a fact about this run in the manifest, such as a speed.
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

// MadeBy overrides the backend and the instruction set that the manifest records.
func (w *Work) MadeBy(backend, simd string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.madeBy = device{backend, simd}
}

// Resume returns a folder for checkpoints. Its files remain for the next attempt at the same key, however this attempt
// ends. The folder is removed when the artifact is complete. Files must be written atomically, because an attempt can
// be killed at any time.
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

// end closes open files and returns the first failure, if any.
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

// meter holds the time and the process's CPU time at the start of a run.
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
