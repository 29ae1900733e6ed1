// Package fulltest makes studies' runs at the papers' sizes in tests.
package fulltest

import (
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Make makes the runs of a plan one after another. After each run it logs the elapsed time, the processor time and the
// process's peak memory so far, labelled with device.
func Make(t *testing.T, plan *study.Plan, s *store.Store, makers study.Makers, device string) {
	t.Helper()
	for _, run := range plan.Runs() {
		began := time.Now()
		if err := plan.Make(t.Context(), s, makers, study.Options{}, run); err != nil {
			t.Fatal(err)
		}
		artifact, err := s.Get(run.Key())
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %s in %s, %.0f s of processor time, peak memory so far %.2f GiB", device, run.Title,
			time.Since(began).Round(100*time.Millisecond), artifact.Manifest.CPU,
			float64(paritytest.PeakMemory())/(1<<30))
	}
}
