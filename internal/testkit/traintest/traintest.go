// Package traintest interrupts trainings the hard way.
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

// mark begins the lines that a training process prints, one after each step.
const mark = "done "

// ahead is how many steps a training process may be ahead of what was read of it, so that it is killed in the midst of
// its work, but not after its end however late its lines are read.
const ahead = 3

// Tell is called by a training process that is to be killed, after each step. It returns when it may go on.
func Tell(step int) {
	fmt.Printf("%s%d\n", mark, step)
	os.Stdin.Read(make([]byte, 1)) //nolint:errcheck // nobody waits for a process that was begun by hand
}

// Kill runs a test of the calling test's own program in a process of its own, with more environment, and kills it by a
// signal that cannot be caught when it has printed some marked lines, at most so many. It does so again and again, and
// lets the last process come to its end. It returns how many marked lines each printed.
func Kill(t *testing.T, test string, environment []string, kills, most int) []int {
	t.Helper()
	random := seed.Stream(1, "kill", test)
	var printed []int
	for range kills {
		lines, err := process(t, test, environment, 1+random.IntN(most))
		if err == nil {
			t.Fatalf("the process came to its end after %d kills: give it more to do", len(printed))
		}
		printed = append(printed, lines)
	}
	lines, err := process(t, test, environment, -1)
	if err != nil {
		t.Fatal(err)
	}
	return append(printed, lines)
}

// process returns how many marked lines the process printed, and the error with which it ended; it is killed after
// limit lines if that is not negative.
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
	leave.Write(make([]byte, ahead)) //nolint:errcheck // it may have ended
	lines, rest := 0, []string{}
	for scanner := bufio.NewScanner(output); scanner.Scan(); {
		if !strings.HasPrefix(scanner.Text(), mark) {
			rest = append(rest, scanner.Text())
			continue
		}
		if lines++; lines == limit {
			command.Process.Kill() //nolint:errcheck // it may have ended
		}
		leave.Write(make([]byte, 1)) //nolint:errcheck // it may have ended
	}
	err = command.Wait()
	if err != nil && !strings.Contains(err.Error(), "killed") {
		t.Fatalf("%v: %s", err, strings.Join(rest, "\n"))
	}
	return lines, err
}
