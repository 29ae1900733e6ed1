package unlearn

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

var regenerate = flag.Bool("regen", false, "write the digests in testdata of this flavour anew")

// digest is a sum of the policy at each budget of a run and of the log of its steps.
func digest(t *testing.T, j Job) string {
	t.Helper()
	sum := sha256.New()
	j.Snapshot = func(_ context.Context, budget int) error {
		policy := contents(t, j.Store, Policy)
		for _, path := range slices.Sorted(maps.Keys(policy)) {
			fmt.Fprintf(sum, "%d %s %x\n", budget, path, policy[path])
		}
		return nil
	}
	result, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range result.Log {
		fmt.Fprintf(sum, "%d %x %x %x %d\n", i, step.Loss, step.Norm, step.Rate, step.Examples)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// compareDigests holds digests against those in a file, which has them by instructions: other instructions round
// otherwise.
func compareDigests(t *testing.T, path string, digests map[string]string) {
	t.Helper()
	flavour := runtime.GOARCH + " " + device.SIMD()
	kept := map[string]map[string]string{}
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, &kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if *regenerate {
		kept[flavour] = digests
		if content, err = json.MarshalIndent(kept, "", "  "); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(content, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := kept[flavour]
	if want == nil {
		t.Skipf("no digests of %s", flavour)
	}
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		if digests[name] != want[name] {
			t.Errorf("%s makes %.12s, not %.12s: where it is to, raise its version and run with -regen", name,
				digests[name], want[name])
		}
	}
	if len(want) != len(digests) {
		t.Errorf("%d digests, %d are kept", len(digests), len(want))
	}
}

func TestEveryMethodMakesTheSameWeightsAndTheSameLogAsEver(t *testing.T) {
	watch(t)
	digests := map[string]string{}
	for _, m := range Methods() {
		budgets := m.Passes
		if budgets == nil {
			budgets = []int{1, 5}
		}
		j := newJob(t, m, budgets...)
		if j.Device.XLA() {
			t.Skip("the digests are of the pure Go device")
		}
		digests[m.Name] = digest(t, j)
	}
	compareDigests(t, "testdata/digests.json", digests)
}

func TestEveryErasingMethodMakesTheSameWeightsAndTheSameLogAsEver(t *testing.T) {
	watch(t)
	digests := map[string]string{}
	for _, m := range Erasing() {
		j := erasing(t, m, 1, 3)
		if j.Device.XLA() {
			t.Skip("the digests are of the pure Go device")
		}
		digests[m.Name] = digest(t, j)
	}
	compareDigests(t, "testdata/erasing-digests.json", digests)
}
