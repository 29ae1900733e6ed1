package launcher

import (
	"fmt"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/unlearnlab/unlearnlab/kernelext/internal/relay"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// A direct is a verb that runs as a program of its own, started by a shell of gonb's: a cell that has nothing else need
// not be built. What gonb does for programs that it has built the launcher does then: it gives the verb the pipes by
// which it displays, and makes an error of an exit status.
type direct struct {
	relay *relay.Relay
	known map[string]bool // displays that have appeared
	exit  string          // the exit status as gonb notes it, where it is not 0
}

// shellLine is gonb's line that runs a verb of the command as [direct] wants it.
func shellLine(environment, words []string) string {
	var line strings.Builder
	line.WriteString("!")
	for _, variable := range environment {
		name, value, _ := strings.Cut(variable, "=")
		fmt.Fprintf(&line, "%s=%s ", name, shellQuote(value))
	}
	line.WriteString(`exec "$UNLEARNLAB_COMMAND"`)
	for _, word := range words {
		line.WriteString(" " + shellQuote(word))
	}
	return line.String() + " </dev/null"
}

func shellQuote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// direct makes a cell's only verb a program of its own. Without pipes the cell is built as any other.
func (p *proxy) direct(e *execution) {
	shown, err := relay.New(p.backend.folder, relay.Receiver{
		Show: func(d *protocol.DisplayData) { p.shown(e, d) },
		Sync: func() {}, // what is shown has arrived
	})
	if err != nil {
		p.log.Print(err)
		return
	}
	e.direct = &direct{relay: shown, known: map[string]bool{}}
	e.plan.code = shellLine(shown.Environment, e.plan.verb)
}

// lag is how long what a verb displays waits for what it has printed before, which comes by way of gonb.
const lag = 10 * time.Millisecond

// shown publishes what a verb displays, as gonb does with what a cell displays.
func (p *proxy) shown(e *execution, d *protocol.DisplayData) {
	time.Sleep(lag)
	p.events.Lock()
	defer p.events.Unlock()
	if p.running != e {
		return
	}
	transient, messageType := map[string]any{}, "display_data"
	if d.DisplayID != "" {
		transient["display_id"] = d.DisplayID
		if e.direct.known[d.DisplayID] {
			messageType = "update_display_data"
		}
		e.direct.known[d.DisplayID] = true
	}
	metadata := d.Metadata
	if metadata == nil {
		metadata = map[string]any{}
	}
	p.playGonb(messageType, e, map[string]any{"data": d.Data, "metadata": metadata, "transient": transient})
}

// playGonb does what a message about a cell does that gonb publishes.
func (p *proxy) playGonb(messageType string, e *execution, content any) {
	if m, packet, ok := p.composed(messageType, e.request, content); ok {
		p.published(m, packet)
	}
}

// noted keeps the exit status of a verb, which gonb prints where a shell has failed.
func (e *execution) noted(name, text string) {
	if e.direct == nil || name != "stderr" {
		return
	}
	e.direct.exit = ""
	if note := exitNote.FindStringSubmatch(text); note != nil {
		e.direct.exit = note[2]
	}
}

// concluded ends a cell whose verb has ended, by which gonb tells it: after what the verb has displayed, and with an
// error where it failed.
func (p *proxy) concluded(e *execution, idle *wire.Message, packet wire.Packet) {
	d := e.direct
	p.later(func() func() {
		d.relay.Close()
		return func() {
			e.direct = nil
			if d.exit != "" && p.running == e {
				said := fail("ERROR", "%s", d.exit)
				p.playGonb("error", e, said)
				if e.failure == nil {
					e.failure = said // gonb's reply says that all went well
				}
			}
			p.published(idle, packet)
		}
	})
}
