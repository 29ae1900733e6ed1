//go:build unix

package kernelext

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// playVerb lets the test program play the cell, by a variable, and the command, by its first argument.
func playVerb() {
	if len(os.Args) > 1 && os.Args[1] == "table" {
		os.Stdout.WriteString("table " + os.Args[2] + " " + os.Getenv("UNLEARNLAB_NOTEBOOK") + " " +
			os.Getenv("GONB_PIPE") + "\n")
		os.Exit(map[string]int{"good": 0, "bad": 3}[os.Args[2]])
	}
	if verb := os.Getenv("CELL_TEST_VERB"); verb != "" {
		Command("table", verb)
		os.Stdout.WriteString("the cell goes on\n")
		os.Exit(0)
	}
}

func TestAVerbRunsTheCommandWithTheCellsPipes(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, verb, command string
		code                int
		says                string
	}{
		{"a verb", "good", self, 0, "table good 1 /pipe\nthe cell goes on\n"},
		{"a verb that fails", "bad", self, 3, "table bad 1 /pipe\n"},
		{"no command", "good", "/nowhere/unlearnlab", 1, "unlearnlab kernel doctor"},
	}
	for _, test := range tests {
		cell := exec.Command(self)
		cell.Env = append(os.Environ(), "CELL_TEST_VERB="+test.verb, "UNLEARNLAB_COMMAND="+test.command,
			"GONB_PIPE=/pipe")
		output, _ := cell.CombinedOutput()
		if code := cell.ProcessState.ExitCode(); code != test.code || !strings.Contains(string(output), test.says) {
			t.Errorf("%s: exit %d, says %q", test.name, code, output)
		}
	}
}

func TestTheStopButtonReachesTheCommand(t *testing.T) {
	signals := make(chan os.Signal, 1)
	signals <- os.Interrupt
	err := run(exec.Command("sleep", "100"), signals)
	exit, ok := err.(*exec.ExitError)
	if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
		t.Errorf("ended by %v, want the interrupt", err)
	}
}
