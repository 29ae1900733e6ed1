package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// CallProgress returns a callback that shows the progress of calls: as a bar in a notebook, elsewhere as a line every
// ten seconds. done ends the bar.
func CallProgress(stderr io.Writer, name, calls string) (heard attack.Progress, done func()) {
	if kernelext.InNotebook() {
		var bar *kernelext.Bar
		last := 0
		heard = func(done, of int) {
			if bar == nil {
				bar = kernelext.Progress(of, name)
			}
			bar.Step(done - last)
			last = done
		}
		return heard, func() {
			if bar != nil {
				bar.Done()
			}
		}
	}
	lastTime, before := time.Now(), 0
	return func(done, of int) {
		since := time.Since(lastTime)
		if since < NextLine {
			return
		}
		text := fmt.Sprintf("%d of %d %s", done, of, calls)
		if before > 0 { // the first calls include compiling
			left := time.Duration(float64(since) * float64(of-done) / float64(max(1, done-before)))
			text += fmt.Sprintf(", about %v left", left.Round(time.Second))
		}
		lastTime, before = time.Now(), done
		fmt.Fprintln(stderr, text)
	}, func() {}
}

// OpenDevice opens a device. An unknown device is a usage error.
func OpenDevice(wish string) (*device.Device, error) {
	d, err := device.Open(wish)
	if errors.Is(err, device.ErrUnknown) {
		return nil, usageError{err}
	}
	return d, err
}

// UntilInterrupted returns a context that is canceled by Ctrl-C, a termination signal, or the end of the terminal. A
// program that nohup started outlives its terminal.
func UntilInterrupted() (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), signals...)
}

// Interrupted returns the error of a command that a signal ended. left says what became of the command's results.
func Interrupted(left string) error { return fmt.Errorf("interrupted; %s, and %w", left, ErrLater) }

// InFolder lets fill write into a folder until a signal interrupts it. fill must write nothing after its context has
// ended. If InFolder returns an error and the folder is new, it removes the folder.
func InFolder(dir string, fill func(ctx context.Context) error) error {
	_, err := os.Stat(dir)
	fresh := errors.Is(err, fs.ErrNotExist)
	ctx, cancel := UntilInterrupted()
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- fill(ctx) }()
	select {
	case err = <-done:
	case <-ctx.Done(): // fill may still read or draw
		err = ctx.Err()
	}
	switch {
	case err == nil:
		return nil
	case fresh:
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if errors.Is(err, context.Canceled) {
		if fresh {
			return Interrupted("nothing is written")
		}
		return Interrupted("some files in " + dir + " are older")
	}
	return err
}
