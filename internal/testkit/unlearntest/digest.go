package unlearntest

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
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

var regenerate = flag.Bool("regen", false, "write the digests in testdata of this flavour anew")

// Digest returns a checksum of a run's policy at each budget and of its log of steps.
func Digest[V any](t *testing.T, j unlearn.Job[V]) string {
	t.Helper()
	if j.Device.XLA() {
		t.Skip("digests are kept of the pure Go device")
	}
	sum := sha256.New()
	j.Snapshot = func(_ context.Context, budget int) error {
		policy := Contents(t, j.Store, unlearn.Policy)
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

// ArtifactDigest returns a checksum of a run's files, except for the files that differ each time.
func ArtifactDigest(t *testing.T, s *store.Store, run *study.Run, differing ...string) string {
	t.Helper()
	artifact, err := s.Get(run.Key())
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	for _, name := range artifact.Names() {
		if slices.Contains(differing, name) {
			continue
		}
		content, err := artifact.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(sum, "%s %d %x\n", name, len(content), sha256.Sum256(content))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// CompareDigests compares digests with those in a file. The file has a set of digests for each vector instruction set,
// because instruction sets round differently. GOMLX_SIMD_AVX512=0 and GOMLX_SIMD_AVX2=0 select a smaller set.
func CompareDigests(t *testing.T, path string, digests map[string]string) {
	t.Helper()
	flavour := runtime.GOARCH + " " + device.SIMD() + built
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
			t.Errorf("%s: got %.12s, want %.12s: if this is intended, raise its version and run with -regen", name,
				digests[name], want[name])
		}
	}
	if len(want) != len(digests) {
		t.Errorf("got %d digests, want %d", len(digests), len(want))
	}
}
