package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Verbs that only read need no home: one that cannot exist counts as an empty store.
func TestReading_NoHome(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	t.Setenv("HOME", clitest.File(t, "file", "")+"/home") // not even the system's administrator can make this folder
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv(store.HomeVariable, "")
	t.Setenv(kernelext.PresetVariable, "mini")
	t.Setenv("COLUMNS", "60")
	scores := clitest.File(t, "scores.csv", "a,b\n1,2\n2,2.5\n4,3\n")
	for _, line := range []string{"table", "table salmu 5", "table unslu 1 --certified", "table remem cost", "claims salmu",
		"audit salmu", "trace salmu 5 --row VLUnlearn/5x --column RetFail", "evaluate unslu --list", "evaluate unslu --schema",
		"figures salmu price --format png --out " + t.TempDir(), "report salmu --summary", "run salmu --dry-run",
		"data list", "data check", "device list", "stat sign " + scores + " --x a --y b"} {
		code, stdout, problems := cmd.Run(strings.Fields(line)...)
		quiet := problems == "" || strings.HasPrefix(line, "figures") // figures names the preset
		if code != cli.ExitDone || stdout == "" || !quiet {
			t.Errorf("%s: exit %d, %s", line, code, problems)
		}
	}
	cmd.Refused(t, cli.ExitFailed, "not a directory; choose another with "+store.HomeVariable, "run", "salmu", "--preset",
		"smoke")
}

// Without $HOME, no library prints a line.
func TestReading_Quiet(t *testing.T) {
	c := exec.CommandContext(t.Context(), os.Args[0], "device", "list")
	c.Env = []string{clitest.AsCommand + "=1"}
	var problems strings.Builder
	c.Stderr = &problems
	output, err := c.Output()
	if err != nil || len(output) == 0 || problems.Len() > 0 {
		t.Errorf("%v: %q and, as errors, %q", err, output, problems.String())
	}
}
