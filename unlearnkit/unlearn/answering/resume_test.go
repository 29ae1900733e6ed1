package answering_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/traintest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
)

// unlearningProcess is the environment variable that names a method and a folder for the process that is killed.
const unlearningProcess = "UNLEARN_TEST_ANSWERING"

// long returns a run of about thirty steps.
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
	unlearntest.RunToBeKilled(t, long(t, name), folder)
}

// The methods draw refusals and partners, read a frozen model or share an optimizer among phases.
func TestResume_Killed(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	unlearntest.Watch(t)
	for _, name := range []string{"dpo", "kl", "po", "gradient-difference-alternating"} {
		unlearntest.CompareKilled(t, long(t, name), func(folder string) []int {
			environment := []string{unlearningProcess + "=" + name + "|" + folder}
			return traintest.Kill(t, "TestUnlearningInAProcess", environment, 3, 6)
		}, "policy-*")
	}
}

func TestResume_AnyStep(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	unlearntest.Watch(t)
	for _, m := range answering.Methods() {
		whole, again := unlearntest.CompareInterrupted(t, func() answering.Job { return newJob(t, m, 1) }, 1, 8)
		if !slices.Equal(again.Log, whole.Log) {
			t.Errorf("%s: after interruptions the log differs", m.Name)
		}
	}
}
