// Package unlearntest holds what the tests of the engine and of its modalities share: streams, a small model, and
// checks of runs.
package unlearntest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Stream is a stream that computes its columns from row indices.
type Stream struct {
	Count int
	Names []string
	Take  func(rows []int) ([]*tensors.Tensor, error)
}

// Rows implements [unlearn.Stream].
func (s Stream) Rows() int { return s.Count }

// Columns implements [unlearn.Stream].
func (s Stream) Columns() []string { return s.Names }

// Batch implements [unlearn.Stream].
func (s Stream) Batch(rows []int) ([]*tensors.Tensor, error) { return s.Take(rows) }

// Watch fails a test that hangs.
func Watch(t *testing.T) { devicetest.Watch(t, 2*time.Minute) }

// Contents returns the bytes of the variables below a scope, by path.
func Contents(t testing.TB, store *model.Store, scope string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for variable := range store.Scope("/" + scope).IterVariables() {
		if err := variable.MustValue().ConstBytes(func(data []byte) {
			all[strings.TrimPrefix(variable.Path(), "/"+scope+"/")] = string(data)
		}); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// Differing returns the names whose bytes differ or that only one map has.
func Differing(a, b map[string]string) []string {
	var names []string
	for name, data := range a {
		if b[name] != data {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, there := a[name]; !there {
			names = append(names, name)
		}
	}
	return names
}

// Snapshots runs a job and returns the policy at each budget.
func Snapshots[V any](t *testing.T, j unlearn.Job[V]) (map[int]map[string]string, unlearn.Result) {
	t.Helper()
	at := map[int]map[string]string{}
	j.Snapshot = func(_ context.Context, budget int) error {
		at[budget] = Contents(t, j.Store, unlearn.Policy)
		return nil
	}
	result, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return at, result
}

// Cancelled runs a job, cancels it after the given number of steps, and returns the budgets at which Snapshot was
// called.
func Cancelled[V any](t *testing.T, j unlearn.Job[V], after int) (called []int, err error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	j.Snapshot = func(_ context.Context, budget int) error { called = append(called, budget); return nil }
	j.Progress = func(done, _ int) {
		if done == after {
			cancel()
		}
	}
	_, err = j.Run(ctx)
	return called, err
}

// logFile is the file name of a run's log.
const logFile = "log.parquet"

// runInto runs a job and writes the policy and the frozen model at each budget, and the log, into a folder.
func runInto[V any](t *testing.T, j unlearn.Job[V], folder string) error {
	write := func(name, scope string) error {
		var all []safefile.TensorData
		for path, data := range Contents(t, j.Store, scope) {
			all = append(all, safefile.TensorOfBytes(path, safefile.U8, []int{len(data)}, []byte(data)))
		}
		return safefile.WriteTensors(filepath.Join(folder, name), all, nil)
	}
	j.Snapshot = func(_ context.Context, budget int) error {
		return errors.Join(write(fmt.Sprint("policy-", budget), unlearn.Policy),
			write(fmt.Sprint("reference-", budget), unlearn.Reference))
	}
	result, err := j.Run(t.Context())
	if err != nil {
		return err
	}
	return result.Log.WriteParquet(filepath.Join(folder, logFile))
}
