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

// Run calls work with a context that is canceled by the notebook's stop button or Ctrl-C. If work returns an error or
// panics, Run shows one box and ends the cell with exit code 1, so that the cells queued after it do not run.
func Run(work func(ctx context.Context) error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	err := runRecovered(ctx, work)
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

// runRecovered calls work and turns a panic into an error. Outside a notebook, the error includes the panic's position.
func runRecovered(ctx context.Context, work func(ctx context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
			place := panicSite()
			if gonbui.IsNotebook && place != "" {
				// gonb translates positions in its generated program to lines of the cell
				fmt.Fprintln(problems(), "panic at", place)
			} else if place != "" {
				err = fmt.Errorf("%w at %s", err, place)
			}
		}
	}()
	return work(ctx)
}

// panicSite returns the position in package main, the code of the cell or program, where the panic being recovered
// occurred. It returns "" if there is none.
func panicSite() string {
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
