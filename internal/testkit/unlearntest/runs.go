package unlearntest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/internal/testkit/traintest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// RunToBeKilled calls runInto in a separate process, for [traintest.Kill]. It reports each step and writes a
// checkpoint after it.
func RunToBeKilled[V any](t *testing.T, j unlearn.Job[V], folder string) {
	t.Helper()
	j.Folder, j.CheckpointEvery = folder, time.Millisecond
	j.Progress = func(done, _ int) { traintest.Tell(done) }
	if err := runInto(t, j, folder); err != nil {
		t.Fatal(err)
	}
}

// CompareKilled runs a job once without interruption and once in a series of processes, which kill starts and kills.
// Both must write the same log and the same files; each pattern must match at least one file. kill returns the number
// of steps in each process. The last process must have resumed from earlier steps.
func CompareKilled[V any](t *testing.T, j unlearn.Job[V], kill func(folder string) (steps []int), patterns ...string) {
	t.Helper()
	name, calm, killed := j.Method.Name, t.TempDir(), t.TempDir()
	if err := runInto(t, j, calm); err != nil {
		t.Fatal(err)
	}
	steps := kill(killed)
	t.Logf("%s: steps by process: %v", name, steps)
	log, err := safefile.ReadNumbers(filepath.Join(calm, logFile))
	if err != nil {
		t.Fatal(err)
	}
	if last := steps[len(steps)-1]; last >= log.Rows() {
		t.Errorf("%s: %v steps of %d: nothing was gone on with", name, steps, log.Rows())
	}
	for _, pattern := range append(patterns, logFile) {
		files, err := filepath.Glob(filepath.Join(calm, pattern))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: there is no %s: %v", name, pattern, err)
		}
		for _, path := range files {
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(killed, filepath.Base(path)))
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %s differs: %v", name, filepath.Base(path), err)
			}
		}
	}
}

// CompareInterrupted runs a job of one pass once without interruption, and once interrupted after step 1 and every
// stride-th step after it below the given limit. Both must end with the same model. It returns both results.
func CompareInterrupted[V any](
	t *testing.T, job func() unlearn.Job[V], stride, below int,
) (whole, again unlearn.Result) {
	t.Helper()
	before, whole := Snapshots(t, job())
	folder := t.TempDir()
	for after := 1; after < min(len(whole.Log), below); after += stride {
		j := job()
		j.Folder = folder
		if _, err := Cancelled(t, j, after); !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: after %d steps: %v", j.Method.Name, after, err)
		}
	}
	j := job()
	j.Folder = folder
	at, again := Snapshots(t, j)
	if names := Differing(before[1], at[1]); len(names) > 0 {
		t.Errorf("%s: after interruptions %v differ", j.Method.Name, names)
	}
	return whole, again
}

// MovesThePolicyAlone runs a job, which must change the model, leave the frozen copy unchanged, and leave nothing else
// in the store.
func MovesThePolicyAlone[V any](t *testing.T, j unlearn.Job[V]) {
	t.Helper()
	m, before := j.Method, Contents(t, j.Store, unlearn.Policy)
	j.Snapshot = func(_ context.Context, budget int) error {
		if m.Reference && len(Differing(before, Contents(t, j.Store, unlearn.Reference))) > 0 {
			return fmt.Errorf("the frozen model has moved after %d passes", budget)
		}
		return nil
	}
	if _, err := j.Run(t.Context()); err != nil {
		t.Errorf("%s: %v", m.Name, err)
		return
	}
	if len(Differing(before, Contents(t, j.Store, unlearn.Policy))) == 0 {
		t.Errorf("%s moves nothing", m.Name)
	}
	for variable := range j.Store.IterVariables() {
		if !strings.HasPrefix(variable.Path(), "/"+unlearn.Policy+"/") {
			t.Errorf("%s leaves %s", m.Name, variable.Path())
		}
	}
}

// Diverges runs a job at a rate that makes it diverge. The job must report the step in a one-line error, log it, and
// take no snapshot.
func Diverges[V any](t *testing.T, j unlearn.Job[V]) {
	t.Helper()
	name := j.Method.Name
	j.Values["rate"] = 1e30
	j.Snapshot = func(context.Context, int) error { return errors.New("a diverged model has a snapshot") }
	result, err := j.Run(t.Context())
	n := len(result.Log)
	if !errors.Is(err, train.ErrDiverged) || strings.Contains(err.Error(), "\n") ||
		!strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), fmt.Sprintf("step %d of", n)) {
		t.Errorf("%s: %d steps, %v", name, n, err)
		return
	}
	if last := result.Log[n-1]; !math.IsNaN(last.Loss) && !math.IsInf(last.Loss, 0) && !math.IsInf(last.Norm, 0) &&
		!math.IsNaN(last.Norm) {
		t.Errorf("%s: the last step has the loss %g and the norm %g", name, last.Loss, last.Norm)
	}
}

// Refused runs a job that must fail with a one-line error that contains says.
func Refused[V any](t *testing.T, j unlearn.Job[V], says string) {
	t.Helper()
	if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), says) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("%v\nwant one line with %s", err, says)
	}
}
