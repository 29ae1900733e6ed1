package kernelext

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

// Command runs a verb of the unlearnlab command, built before, with the cell's display: its tables and pictures appear
// in the cell. A verb that fails ends the cell with the same exit code. In a notebook it is what a line like
//
//	%unlearn table unslu 1
//
// becomes; where that is not understood, in another kernel for Go, kx.Command("table", "unslu", "1") says the same.
// Without words it runs those that the cell was started with, gonb's line %args: then one program serves every verb.
func Command(args ...string) {
	if len(args) == 0 {
		args = os.Args[1:]
	}
	if code := verb(args); code != 0 {
		os.Exit(code)
	}
}

// verb is Command that returns the exit code.
func verb(args []string) int {
	path := os.Getenv("UNLEARNLAB_COMMAND")
	if path == "" {
		path = "unlearnlab"
	}
	command := exec.Command(path, args...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.Env = append(os.Environ(), "UNLEARNLAB_NOTEBOOK=1")
	shown, err := newRelay()
	if err != nil {
		fmt.Fprintf(os.Stderr, "kx.Command: %v\n", err)
		return 1
	}
	if shown != nil {
		command.Env = append(command.Env, shown.names...)
	}
	defer shown.close()
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	err = run(command, interrupts)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode()
	}
	fmt.Fprintf(os.Stderr, "kx.Command: %v; unlearnlab kernel doctor says what is missing\n", err)
	return 1
}

// run waits for a command and hands it the signals that this process gets.
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
