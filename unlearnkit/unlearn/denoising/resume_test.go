package denoising_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/train/traintest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/unlearntest"
)

// A method and a folder.
const erasingProcess = "UNLEARN_TEST_ERASING"

func TestErasingInAProcess(t *testing.T) {
	name, folder, given := strings.Cut(os.Getenv(erasingProcess), "|")
	if !given {
		t.Skip("part of the test with kills")
	}
	j := erasing(t, found(t, name), 3, 6)
	j.Folder, j.CheckpointEvery = folder, time.Millisecond
	j.Progress = func(done, _ int) { fmt.Printf("%s%d\n", traintest.Mark, done) }
	if err := unlearntest.RunInto(t, j, folder); err != nil {
		t.Fatal(err)
	}
}

func found(t *testing.T, name string) denoising.Method {
	t.Helper()
	m, err := unlearn.Find(denoising.Methods(), name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Passes have four steps, so most kills fall into the middle of one, whose rows cannot be drawn again.
func TestAnErasingRunThatIsKilledAgainAndAgainEndsWithTheSameBytes(t *testing.T) {
	unlearntest.Watch(t)
	for _, name := range []string{"esd-x", "sdd", "ablating-model"} {
		calm, killed := t.TempDir(), t.TempDir()
		if err := unlearntest.RunInto(t, erasing(t, found(t, name), 3, 6), calm); err != nil {
			t.Fatal(err)
		}
		steps := traintest.Kill(t, "TestErasingInAProcess", []string{erasingProcess + "=" + name + "|" + killed}, 3, 7)
		t.Logf("%s: steps by process: %v", name, steps)
		if last := steps[len(steps)-1]; last >= 24 {
			t.Errorf("%s: %v steps: nothing was gone on with", name, steps)
		}
		for _, file := range []string{"policy-3", "policy-6", "log.parquet"} {
			want, err := os.ReadFile(filepath.Join(calm, file))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(killed, file)); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %s differs: %v", name, file, err)
			}
		}
	}
}
