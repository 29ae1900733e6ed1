package launcher

import (
	"fmt"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/unlearnlab/unlearnlab/kernelext/internal/relay"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// A direct is a verb that runs as a separate program, started by a shell of gonb. A cell with nothing but the verb then
// needs no build. In gonb's place the launcher gives the verb pipes for its displays, and turns a failing exit status
// into an error.
type direct struct {
	relay      *relay.Relay
	known      map[string]bool // ids of displays that have appeared
	exitStatus string          // exit status as gonb prints it, if it is not 0
}

// shellLine returns gonb's line that runs a verb of the command as a [direct].
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

// startDirect runs a cell's only verb as a separate program. If there are no pipes, the cell is built like any other.
func (p *proxy) startDirect(e *execution) {
	shown, err := relay.New(p.backend.folder, relay.Receiver{
		Show: func(d *protocol.DisplayData) { p.showDirect(e, d) },
		Sync: func() {}, // Show returns only after publishing
	})
	if err != nil {
		p.log.Print(err)
		return
	}
	e.direct = &direct{relay: shown, known: map[string]bool{}}
	e.plan.code = shellLine(shown.Environment, e.plan.verb)
}

// displayDelay delays a verb's display until text that the verb printed before has arrived. The text takes the longer
// way through gonb.
const displayDelay = 10 * time.Millisecond

// showDirect publishes a verb's display as gonb publishes a cell's display.
func (p *proxy) showDirect(e *execution, d *protocol.DisplayData) {
	time.Sleep(displayDelay)
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

// noteExit records a verb's exit status, which gonb prints if the shell has failed.
func (e *execution) noteExit(name, text string) {
	if e.direct == nil || name != "stderr" {
		return
	}
	e.direct.exitStatus = ""
	if note := exitNote.FindStringSubmatch(text); note != nil {
		e.direct.exitStatus = note[2]
	}
}

// concludeDirect ends a cell when gonb reports that its verb has ended. It first forwards the verb's last displays, and
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
