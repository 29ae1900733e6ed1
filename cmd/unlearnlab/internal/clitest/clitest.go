// Package clitest runs command lines in tests and compares what they print.
package clitest

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/kerneltest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// AsCommand is the environment variable that turns a test binary into the command, for tests that start and kill it.
const AsCommand = "UNLEARNLAB_TEST_COMMAND"

var regenerate = flag.Bool("regen", false, "write the golden files in testdata anew")

// A Command executes a command line and returns its exit code.
type Command func(args []string, stdout, stderr io.Writer) int

// Main runs the tests of a package and returns the exit code. The tests have a temporary home, the preset smoke and, by
// default, the device go. Each function in prepare is called with the home.
func (c Command) Main(m *testing.M, prepare ...func(home string)) int {
	kerneltest.Main()
	if os.Getenv(AsCommand) != "" {
		return c(os.Args[1:], os.Stdout, os.Stderr)
	}
	home, err := os.MkdirTemp("", "unlearnlab-test-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	os.Setenv(store.HomeVariable, home)
	os.Setenv(kernelext.PresetVariable, preset.Smoke)
	if os.Getenv(device.Variable) == "" {
		os.Setenv(device.Variable, "go")
	}
	for _, fill := range prepare {
		fill(home)
	}
	return m.Run()
}

// Run executes a command line.
func (c Command) Run(args ...string) (code int, stdout, stderr string) {
	var out, problems bytes.Buffer
	code = c(args, &out, &problems)
	return code, out.String(), problems.String()
}

// Succeed executes a command line, which must succeed and print nothing to stderr, and returns its output.
func (c Command) Succeed(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := c.Run(args...)
	if code != 0 || stderr != "" {
		t.Fatalf("%v: exit %d\n%s", args, code, stderr)
	}
	return stdout
}

// Refused executes a command line, which must return an exit code and print only one line, to stderr, that contains
// says.
func (c Command) Refused(t *testing.T, code int, says string, args ...string) {
	t.Helper()
	got, stdout, stderr := c.Run(args...)
	if got != code || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, says) {
		t.Errorf("%q: exit %d, want %d with %q\n%s%s", args, got, code, says, stdout, stderr)
	}
}

// CompareCell runs a call in a cell, which is a separate program, and compares its output. The cell does not link the
// packages that compute; it starts the command, which is the test binary here.
func CompareCell(t *testing.T, call, want string) {
	t.Helper()
	program := File(t, "cell.go", `package main

import kx "github.com/unlearnlab/unlearnlab/kernelext"

func main() {
	`+call+`
	kx.Text("after it")
}
`)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "go", "run", program)
	c.Env = append(os.Environ(), AsCommand+"=1", "UNLEARNLAB_COMMAND="+self)
	c.Stderr = os.Stderr
	output, err := c.Output()
	if err != nil || string(output) != want+"after it\n" {
		t.Errorf("%v: the cell prints\n%s\nthe command\n%s", err, output, want)
	}
}

// File writes a file into a new folder and returns its path.
func File(t *testing.T, name, content string) string {
	t.Helper()
	dir := t.TempDir()
	Put(t, dir, name, content)
	return filepath.Join(dir, name)
}

// Put writes a file into a folder, which it creates if needed.
func Put(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Read returns the content of a file.
func Read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Golden compares a text with a file in a subfolder of testdata. With -regen it writes the file first.
func Golden(t *testing.T, folder, name, got string, same func(want, got string) bool) {
	t.Helper()
	path := filepath.Join("testdata", folder, name)
	if *regenerate {
		Put(t, filepath.Dir(path), name, got)
	}
	if want := Read(t, path); !same(want, got) {
		t.Errorf("%s has changed; if it should, run this test with -regen. It is now\n%s", path, got)
	}
}

// SameBytes reports whether two texts are equal.
func SameBytes(want, got string) bool { return want == got }

// SameNumbers returns a comparison of two JSON texts whose numbers may differ by a tolerance, which is relative for
// numbers above 1.
func SameNumbers(tolerance float64) func(want, got string) bool {
	return func(want, got string) bool {
		var a, b any
		return json.Unmarshal([]byte(want), &a) == nil && json.Unmarshal([]byte(got), &b) == nil &&
			within(a, b, tolerance)
	}
}

func within(a, b any, tolerance float64) bool {
	switch a := a.(type) {
	case float64:
		b, is := b.(float64)
		return is && math.Abs(a-b) <= tolerance*max(1, math.Abs(a))
	case []any:
		b, is := b.([]any)
		same := is && len(a) == len(b)
		for i := 0; same && i < len(a); i++ {
			same = within(a[i], b[i], tolerance)
		}
		return same
	case map[string]any:
		b, is := b.(map[string]any)
		same := is && len(a) == len(b)
		for key := range a {
			same = same && within(a[key], b[key], tolerance)
		}
		return same
	}
	return a == b
}

// Of returns the command with the given verbs.
func Of(verbs ...func() *cobra.Command) Command {
	return func(args []string, stdout, stderr io.Writer) int {
		var all []*cobra.Command
		for _, verb := range verbs {
			all = append(all, verb())
		}
		return cli.Run(args, stdout, stderr, all...)
	}
}
