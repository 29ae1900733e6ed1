package main

import (
	"os"
	"os/exec"
	"testing"
)

// compareCell runs a cell of one call, in a program of its own, and compares what it prints with what the command
// prints. Such a cell links none of what it computes with: it asks the command.
func compareCell(t *testing.T, call, want string) {
	t.Helper()
	program := file(t, "cell.go", `package main

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
	c.Dir = "../.."
	c.Env = append(os.Environ(), asCommand+"=1", "UNLEARNLAB_COMMAND="+self)
	c.Stderr = os.Stderr
	output, err := c.Output()
	if err != nil || string(output) != want+"after it\n" {
		t.Errorf("%v: the cell prints\n%s\nthe command\n%s", err, output, want)
	}
}
