package answering_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train/traintest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/unlearntest"
)

// A method and a folder.
const unlearningProcess = "UNLEARN_TEST_ANSWERING"

// long is a run of some thirty steps.
func long(t *testing.T, name string) answering.Job {
	t.Helper()
	m, err := unlearn.Find(answering.Methods(), name)
	if err != nil {
		t.Fatal(err)
	}
	if m.Passes != nil {
		return newJob(t, m, m.Passes...)
	}
	return newJob(t, m, 3, 9)
}

func TestUnlearningInAProcess(t *testing.T) {
	name, folder, given := strings.Cut(os.Getenv(unlearningProcess), "|")
	if !given {
		t.Skip("part of the test with kills")
	}
	j := long(t, name)
	j.Folder, j.CheckpointEvery = folder, time.Millisecond
	j.Progress = func(done, _ int) { fmt.Printf("%s%d\n", traintest.Mark, done) }
	if err := unlearntest.RunInto(t, j, folder); err != nil {
		t.Fatal(err)
	}
}

// These draw refusals and partners, read a frozen model or share an optimizer among phases.
func TestARunThatIsKilledAgainAndAgainEndsWithTheSameBytes(t *testing.T) {
	unlearntest.Watch(t)
	for _, name := range []string{"dpo", "kl", "po", "gradient-difference-alternating"} {
		calm, killed := t.TempDir(), t.TempDir()
		if err := unlearntest.RunInto(t, long(t, name), calm); err != nil {
			t.Fatal(err)
		}
		environment := []string{unlearningProcess + "=" + name + "|" + killed}
		steps := traintest.Kill(t, "TestUnlearningInAProcess", environment, 3, 6)
		t.Logf("%s: steps by process: %v", name, steps)
		log, err := safefile.ReadNumbers(filepath.Join(calm, "log.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(calm, "policy-*"))
		if err != nil || len(files) == 0 || steps[len(steps)-1] >= log.Rows() {
			t.Errorf("%s: %v steps of %d: nothing was gone on with; %d files, %v", name, steps, log.Rows(), len(files),
				err)
		}
		for _, path := range append(files, filepath.Join(calm, "log.parquet")) {
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

func TestARunThatIsInterruptedInAnyStepEndsWithTheSameModel(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range answering.Methods() {
		whole, result := unlearntest.Snapshots(t, newJob(t, m, 1))
		folder := t.TempDir()
		for after := 1; after < min(len(result.Log), 8); after++ {
			j := newJob(t, m, 1)
			j.Folder = folder
			if _, err := unlearntest.Cancelled(t, j, after); !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: after %d steps: %v", m.Name, after, err)
			}
		}
		j := newJob(t, m, 1)
		j.Folder = folder
		at, again := unlearntest.Snapshots(t, j)
		if names := unlearntest.Differing(whole[1], at[1]); len(names) > 0 || !slices.Equal(again.Log, result.Log) {
			t.Errorf("%s: after interruptions %v differ", m.Name, names)
		}
	}
}
