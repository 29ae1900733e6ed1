package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// UntilInterrupted returns a context that is canceled by Ctrl-C or a termination signal.
func UntilInterrupted() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}
