package main

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// From an empty home, a study's first table appears in well under a second; see scripts/first_table. The time depends
// on the machine and is mostly spent on memory, so the test bounds the allocated memory.
func TestTable_Memory(t *testing.T) {
	const mebibyte = 1 << 20
	for _, test := range []struct {
		table string
		most  uint64
	}{{"salmu 5", 400 * mebibyte}, {"concealment 1", 80 * mebibyte}} {
		home := t.TempDir()
		t.Setenv(store.HomeVariable, home)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code, _, stderr := cmd.Run(strings.Fields("table " + test.table + " --preset mini")...)
		runtime.ReadMemStats(&after)
		if allocated := after.TotalAlloc - before.TotalAlloc; code != 0 || allocated > test.most {
			t.Errorf("table %s: exit %d, %d MiB allocated, at most %d\n%s", test.table, code, allocated/mebibyte,
				test.most/mebibyte, stderr)
		}
		if kept, err := os.ReadDir(home); err != nil || len(kept) > 1 {
			t.Errorf("table %s leaves %v in the home, %v", test.table, kept, err)
		}
	}
}
