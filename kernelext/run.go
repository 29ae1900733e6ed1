package kernelext

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
)

// Run runs work under a context that the notebook's stop button, or Ctrl-C, cancels. An error, and a panic of work
// itself, is shown in one box and ends the cell with status 1, so that the cells queued behind it do not run.
func Run(work func(ctx context.Context) error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	err := guarded(ctx, work)
	interrupted := ctx.Err() != nil
	switch {
	case err == nil:
		flush()
	case interrupted && errors.Is(err, context.Canceled):
		end(noticeEdge, "stopped", StoppedEnding)
	default:
		fail(err)
	}
}

// guarded turns a panic of work into an error that names its line.
func guarded(ctx context.Context, work func(ctx context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
			place := raisedAt()
			if gonbui.IsNotebook && place != "" {
				// gonb translates a line of the program that it made into the cell's
				fmt.Fprintln(problems(), "panic at", place)
			} else if place != "" {
				err = fmt.Errorf("%w at %s", err, place)
			}
		}
	}()
	return work(ctx)
}

// raisedAt finds where a panic that is being recovered was raised in package main, the one that a cell or program is.
func raisedAt() string {
	var callers [64]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, "main.") {
			return fmt.Sprintf("%s:%d", frame.File, frame.Line)
		}
		if !more {
			return ""
		}
	}
}
