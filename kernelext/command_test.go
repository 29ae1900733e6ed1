//go:build unix

package kernelext

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// playVerb makes the test program act as the command if its first argument is a verb, or as a cell if a variable names
// one.
func playVerb() {
	if len(os.Args) > 1 && os.Args[1] == "table" {
		if os.Args[2] == "shown" {
			Text("the command's")
			Table([]struct{ Job string }{{"baker"}})
			os.Exit(0)
		}
		own := os.Getenv("GONB_PIPE") != "/pipe" // whether the command has its own pipe instead of the cell's
		fmt.Println("table", os.Args[2], own)
		os.Exit(map[string]int{"good": 0, "bad": 3}[os.Args[2]])
	}
	if len(os.Args) > 1 && os.Args[1] == "attack" {
		for _, path := range []string{os.Args[4], os.Args[6]} {
			frame, err := safefile.ReadNumbers(path)
			fmt.Println(frame.Columns[0].Values, err)
		}
		fmt.Println(os.Args[2], os.Args[3], os.Args[5], os.Args[7:])
		os.Exit(map[string]int{"--good": 0, "--bad": 3}[os.Args[7]])
	}
	if len(os.Args) > 1 && os.Args[1] == "exposure" {
		frame, err := safefile.ReadWords(os.Args[7])
		fmt.Println(frame.Columns[0].Texts, err, os.Args[2:7], os.Args[8:])
		os.Exit(map[string]int{"--good": 0, "--bad": 3}[os.Args[8]])
	}
	if len(os.Args) > 1 && os.Args[1] == "causal-trace" {
		fmt.Printf("%q\n", os.Args[2:])
		os.Exit(0)
	}
	if flag := os.Getenv("CELL_TEST_TRACE"); flag != "" {
		CausalTrace("a model", "The job of Ann is", "Ann", "baker", flag, "2")
		os.Exit(0)
	}
	if flag := os.Getenv("CELL_TEST_EXPOSURE"); flag != "" {
		Exposure("a model", "The job is", []string{"baker", "a, b\nc"}, flag)
		os.Stdout.WriteString("the cell goes on\n")
		os.Exit(0)
	}
	if flag := os.Getenv("CELL_TEST_MIA"); flag != "" {
		MIA([]float64{.1, .2}, []float64{3, 4, 5}, flag)
		os.Stdout.WriteString("the cell goes on\n")
		os.Exit(0)
	}
	if verb := os.Getenv("CELL_TEST_VERB"); verb != "" {
		syncLimit = time.Millisecond // do not wait long, because no kernel reads /pipe
		Command("table", verb)
		os.Stdout.WriteString("the cell goes on\n")
		os.Exit(0)
	}
}

// A command that a cell runs gets its own pipes.
func TestVerb_OwnPipes(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, verb, command string
		code                int
		says                string
	}{
		{"a verb", "good", self, 0, "table good true\nthe cell goes on\n"},
		{"a verb that fails", "bad", self, 3, "table bad true\n"},
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

// The kernel gets the displays of cell and command in order, as one stream.
func TestVerb_DisplayOrder(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	e := execute(t, "around a command", []string{"UNLEARNLAB_COMMAND=" + self, "TMPDIR=" + folder}, nil)
	got := e.texts()
	if len(got) != 7 || e.status != 0 || e.stderr != "" {
		t.Fatalf("%d displays, status %d, %s: %q", len(got), e.status, e.stderr, got)
	}
	for i, want := range []string{"before", "the command's", "baker", "between", "the command's", "baker", "behind"} {
		if !strings.Contains(got[i], want) {
			t.Errorf("display %d is %q, not %q", i, got[i], want)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// The command gets the numbers in files that are removed afterwards.
func TestMembership_LeavesNoFile(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for flag, test := range map[string]struct {
		code int
		says string
	}{
		"--good": {0, "[0.1 0.2] <nil>\n[3 4 5] <nil>\nmia --members --non-members [--good]\nthe cell goes on\n"},
		"--bad":  {3, "[0.1 0.2] <nil>\n[3 4 5] <nil>\nmia --members --non-members [--bad]\n"},
	} {
		folder := t.TempDir()
		cell := exec.Command(self)
		cell.Env = append(os.Environ(), "CELL_TEST_MIA="+flag, "UNLEARNLAB_COMMAND="+self, "TMPDIR="+folder)
		output, _ := cell.CombinedOutput()
		if code := cell.ProcessState.ExitCode(); code != test.code || string(output) != test.says {
			t.Errorf("%s: exit %d, says %q", flag, code, output)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
			t.Errorf("%s: %v is left, %v", flag, left, err)
		}
	}
}

// The command gets the candidates in a file that is removed afterwards.
func TestExposure_LeavesNoFile(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const given = "[baker a, b\nc] <nil> [--model a model --prefix The job is --candidates] "
	for flag, test := range map[string]struct {
		code int
		says string
	}{
		"--good": {0, given + "[--good]\nthe cell goes on\n"},
		"--bad":  {3, given + "[--bad]\n"},
	} {
		folder := t.TempDir()
		cell := exec.Command(self)
		cell.Env = append(os.Environ(), "CELL_TEST_EXPOSURE="+flag, "UNLEARNLAB_COMMAND="+self, "TMPDIR="+folder)
		output, _ := cell.CombinedOutput()
		if code := cell.ProcessState.ExitCode(); code != test.code || string(output) != test.says {
			t.Errorf("%s: exit %d, says %q", flag, code, output)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
			t.Errorf("%s: %v is left, %v", flag, left, err)
		}
	}
	text, status := printed(t, func() { Exposure("m", "p", nil) })
	if status != 1 || !strings.Contains(text, "there are no candidates") {
		t.Errorf("status %d: %s", status, text)
	}
}

func TestCausal_Sample(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cell := exec.Command(self)
	cell.Env = append(os.Environ(), "CELL_TEST_TRACE=--window", "UNLEARNLAB_COMMAND="+self)
	output, err := cell.CombinedOutput()
	const want = `["--model" "a model" "--prompt" "The job of Ann is" "--subject" "Ann" "--answer" "baker" ` +
		`"--window" "2"]`
	if err != nil || string(output) != want+"\n" {
		t.Errorf("%v, says %s", err, output)
	}
}

func TestMembership_Empty(t *testing.T) {
	for says, lists := range map[string][2][]float64{"there are no members": {nil, {1}},
		"there are no non-members": {{1}, nil}} {
		text, status := printed(t, func() { MIA(lists[0], lists[1]) })
		if status != 1 || !strings.Contains(text, says) {
			t.Errorf("status %d: %s", status, text)
		}
	}
}

func TestRun_StopButton(t *testing.T) {
	signals := make(chan os.Signal, 1)
	signals <- os.Interrupt
	err := run(exec.Command("sleep", "100"), signals)
	exit, ok := err.(*exec.ExitError)
	if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
		t.Errorf("ended by %v, want the interrupt", err)
	}
}
