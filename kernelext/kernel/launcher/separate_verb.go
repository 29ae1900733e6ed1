package launcher

import (
	"fmt"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/unlearnlab/unlearnlab/kernelext/internal/displaypipe"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// A direct is a verb that runs as a separate program, started from a gonb shell line. A cell with nothing but the verb
// then needs no build. Instead of gonb, the launcher provides the verb's display pipes and turns a failing exit status
// into an error.
type separateVerb struct {
	relay      *displaypipe.Relay
	known      map[string]bool // IDs of displays that have been published
	exitStatus string          // exit status in gonb's words; empty if it is 0
}

// shellLine returns the gonb shell line that runs a verb as a [separateVerb].
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

// startDirect runs a cell's only verb as a separate program. If the pipes cannot be created, the cell is built like any
// other.
func (p *proxy) startDirect(e *execution) {
	shown, err := displaypipe.New(p.backend.folder, displaypipe.Receiver{
		Show: func(d *protocol.DisplayData) { p.showDirect(e, d) },
		Sync: func() {}, // nothing to do: Show returns only after publishing
	})
	if err != nil {
		p.log.Print(err)
		return
	}
	e.direct = &separateVerb{relay: shown, known: map[string]bool{}}
	e.plan.code = shellLine(shown.Environment, e.plan.verb)
}

// showDirect publishes a verb's display as gonb publishes the displays of a cell.
func (p *proxy) showDirect(e *execution, d *protocol.DisplayData) {
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

// playGonb handles a message about a cell as if gonb had published it.
func (p *proxy) playGonb(messageType string, e *execution, content any) {
	if m, packet, ok := p.compose(messageType, e.request, content); ok {
		p.handlePublished(m, packet)
	}
}

// noteExit records a verb's exit status, which gonb prints to stderr if the shell line fails.
func (e *execution) noteExit(name, text string) {
	if e.direct == nil || name != "stderr" {
		return
	}
	e.direct.exitStatus = ""
	if note := exitNote.FindStringSubmatch(text); note != nil {
		e.direct.exitStatus = note[2]
	}
}

// concludeDirect ends a cell once gonb reports that its verb has ended. First it forwards the verb's last displays, and
// publishes an error if the verb failed.
func (p *proxy) concludeDirect(e *execution, idle *wire.Message, packet wire.Packet) {
	d := e.direct
	p.async(func() func() {
		d.relay.Close()
		return func() {
			e.direct = nil
			if d.exitStatus != "" && p.running == e {
				said := fail("ERROR", "%s", d.exitStatus)
				p.playGonb("error", e, said)
				if e.failure == nil {
					e.failure = said // gonb's own reply reports success
				}
			}
			p.handlePublished(idle, packet)
		}
	})
}
