// Package traintest kills training processes to test that they resume.
package traintest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// mark begins the line that a training process prints after each step.
const mark = "done "

// lead is how many steps a training process may be ahead of the lines that have been read from it. So it is killed in
// the middle of its work, not after its end, even if its lines are read late.
const lead = 3

// Tell reports a step to [Kill]. A training process that is to be killed calls it after each step. It returns when the
// training may continue.
func Tell(step int) {
	fmt.Printf("%s%d\n", mark, step)
	os.Stdin.Read(make([]byte, 1)) //nolint:errcheck // a process started by hand has nobody to wait for
}

// Kill runs a test of this program in a separate process with additional environment variables. It kills the process
// with an uncatchable signal after a random number of marked lines, from 1 to most. It does so kills times, and then
// lets a last process finish. It returns how many marked lines each process printed.
func Kill(t *testing.T, test string, environment []string, kills, most int) []int {
	t.Helper()
	random := seed.Stream(1, "kill", test)
	var printed []int
	for range kills {
		lines, err := process(t, test, environment, 1+random.IntN(most))
		if err == nil {
			t.Fatalf("the process ended after %d kills: give it more to do", len(printed))
		}
		printed = append(printed, lines)
	}
	lines, err := process(t, test, environment, -1)
	if err != nil {
		t.Fatal(err)
	}
	return append(printed, lines)
}

// process runs the test, and returns how many marked lines it printed and the error with which it ended. It kills the
// process after limit lines, unless limit is negative.
func process(t *testing.T, test string, environment []string, limit int) (int, error) {
	t.Helper()
	command := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.count=1")
	command.Env = append(os.Environ(), environment...)
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	leave, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	leave.Write(make([]byte, lead)) //nolint:errcheck // the process may have ended
	lines, rest := 0, []string{}
	for scanner := bufio.NewScanner(output); scanner.Scan(); {
		if !strings.HasPrefix(scanner.Text(), mark) {
			rest = append(rest, scanner.Text())
			continue
		}
		if lines++; lines == limit {
			command.Process.Kill() //nolint:errcheck // the process may have ended
		}
		leave.Write(make([]byte, 1)) //nolint:errcheck // the process may have ended
	}
	err = command.Wait()
	if err != nil && !strings.Contains(err.Error(), "killed") {
		t.Fatalf("%v: %s", err, strings.Join(rest, "\n"))
	}
	return lines, err
}
