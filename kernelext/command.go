package kernelext

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/unlearnlab/unlearnlab/kernelext/internal/displaypipe"
)

// Command runs a verb of the unlearnlab command, which must be built, and shows its tables and pictures in the cell. If
// the verb fails, the cell ends with the same exit code. In a notebook, Command is the same as a line like
//
//	%unlearn table unslu 1
//
// In another Go kernel, which does not know %unlearn, use kx.Command("table", "unslu", "1").
func Command(args ...string) {
	if code := verb(args); code != 0 {
		os.Exit(code)
	}
}

// verb runs the unlearnlab command, shows its displays in the cell, and returns its exit code.
func verb(args []string) int {
	path := os.Getenv("UNLEARNLAB_COMMAND")
	if path == "" {
		path = "unlearnlab"
	}
	command := exec.Command(path, args...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	if gonbui.IsNotebook {
		shown, err := displaypipe.New("", displaypipe.Receiver{Show: gonbui.SendData, Sync: flush})
		if err != nil {
			fmt.Fprintf(os.Stderr, "kx.Command: %v\n", err)
			return 1
		}
		defer shown.Close()
		command.Env = append(os.Environ(), shown.Environment...)
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	err := run(command, interrupts)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode()
	}
	fmt.Fprintf(os.Stderr, "kx.Command: %v; unlearnlab kernel doctor shows what is missing\n", err)
	return 1
}

// run starts a command, forwards signals to it, and waits for its end.
func run(command *exec.Cmd, signals <-chan os.Signal) error {
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for {
		select {
		case s := <-signals:
			command.Process.Signal(s)
		case err := <-ended:
			return err
		}
	}
}
