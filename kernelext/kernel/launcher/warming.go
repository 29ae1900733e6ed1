package launcher

import (
	"context"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// needsBuild reports whether gonb builds a program for a cell, which is so if a line is Go.
func needsBuild(code string) bool {
	lines := strings.Split(code, "\n")
	return isGo(lines) && strings.TrimSpace(strings.Join(blankSpecial(lines), "")) != ""
}

// warmingDelay is the time after which a waiting cell says why it waits. Usually everything is built already.
const warmingDelay = 2 * time.Second

// awaitWarm calls run when what cells import is built. A cell that needs no build runs at once.
func (p *proxy) awaitWarm(e *execution, run func()) {
	if p.warming == nil || !needsBuild(e.plan.code) {
		run()
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	e.cancel = cancel
	note := time.AfterFunc(warmingDelay, func() { p.noteWarming(ctx, e) })
	p.async(func() func() {
		select {
		case <-p.warming:
		case <-ctx.Done():
		}
		return func() {
			note.Stop()
			if ctx.Err() != nil {
				p.refuse(e, fail("interrupted", "the cell was stopped"))
				return
			}
			cancel()
			run()
		}
	})
}

// noteWarming shows why a cell waits.
func (p *proxy) noteWarming(waiting context.Context, e *execution) {
	p.events.Lock()
	defer p.events.Unlock()
	if waiting.Err() != nil {
		return
	}
	p.publish("display_data", e.request, map[string]any{
		"data": noticed("Compiling what cells import. After an installation this takes minutes; cells without Go do " +
			"not wait."),
		"metadata":  map[string]any{kernelext.VolatileOutput: true},
		"transient": map[string]any{"display_id": wire.NewID()}})
}
