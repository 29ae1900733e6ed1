package denoising_test

import (
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/traintest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
)

// erasingProcess is the environment variable that names a method and a folder for the process that is killed.
const erasingProcess = "UNLEARN_TEST_ERASING"

func TestErasingInAProcess(t *testing.T) {
	name, folder, given := strings.Cut(os.Getenv(erasingProcess), "|")
	if !given {
		t.Skip("part of the test with kills")
	}
	unlearntest.RunToBeKilled(t, erasing(t, found(t, name), 3, 6), folder)
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
func TestResume_Killed(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	unlearntest.Watch(t)
	for _, name := range []string{"esd-x", "sdd", "ablating-model"} {
		kill := func(folder string) []int {
			environment := []string{erasingProcess + "=" + name + "|" + folder}
			return traintest.Kill(t, "TestErasingInAProcess", environment, 3, 7)
		}
		unlearntest.CompareKilled(t, erasing(t, found(t, name), 3, 6), kill, "policy-3", "policy-6")
	}
}
