package classifying_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/traintest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// unlearningProcess is the environment variable that names a method and a folder for the process that is killed.
const unlearningProcess = "UNLEARN_TEST_CLASSIFYING"

// long returns a run of about twenty steps.
func long(t *testing.T, name string) classifying.Job {
	t.Helper()
	m, err := unlearn.Find(classifying.Methods(), name)
	if err != nil {
		t.Fatal(err)
	}
	j := newJob(t, m, 1)
	switch {
	case name == "unsir":
		j.Values["batch"], j.Values["noise-steps"] = 1, 2
	case name == "scrub":
		j.Values["epochs"], j.Values["msteps"] = 3, 3
	default:
		j.Budgets = []int{2, 4}
	}
	return j
}

func TestUnlearningInAProcess(t *testing.T) {
	name, folder, given := strings.Cut(os.Getenv(unlearningProcess), "|")
	if !given {
		t.Skip("part of the test with kills")
	}
	unlearntest.RunToBeKilled(t, long(t, name), folder)
}

// The four methods draw random columns in each step, share an optimizer or read a second frozen model.
func TestResume_Killed(t *testing.T) {
	unlearntest.Watch(t)
	for _, name := range []string{"unsir", "bad-teaching", "bad-teaching-light", "scrub"} {
		unlearntest.CompareKilled(t, long(t, name), func(folder string) []int {
			environment := []string{unlearningProcess + "=" + name + "|" + folder}
			return traintest.Kill(t, "TestUnlearningInAProcess", environment, 3, 6)
		}, "policy-*")
	}
}

// The first phase is repeated from its checkpoint, the second continues at its last step.
func TestResume_AnyStep(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range classifying.Methods() {
		unlearntest.CompareInterrupted(t, func() classifying.Job { return newJob(t, m, 1) }, 2, math.MaxInt)
	}
}
