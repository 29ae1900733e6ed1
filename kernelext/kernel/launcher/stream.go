package launcher

import (
	"fmt"
	"html"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// A stream joins a running cell's output into few messages. Beyond a limit that keeps a browser tab responsive, it
// writes to a file.
type stream struct {
	name    string // stdout or stderr, for the waiting output
	waiting strings.Builder
	timer   *time.Timer
	pieces  int // number of messages sent

	head  strings.Builder // all output, until a file is needed
	lines int             // lines in head
	rest  *outputFile     // file with all output; nil while all of it is shown

	note  string    // ID of the display that describes the file
	noted time.Time // last update of that display
}

const (
	// joinDelay is how long output waits for more output. After quickPieces messages, it is joinDelayLater.
	joinDelay      = 100 * time.Millisecond
	joinDelayLater = 500 * time.Millisecond
	quickPieces    = 20

	// shownLines and shownBytes limit a cell's output in the notebook. Ten times as much takes a page seconds to show,
	// and every copy of the notebook contains it.
	shownLines = 5_000
	shownBytes = 300_000

	// noteInterval is the time between updates of the display that describes the file.
	noteInterval = time.Second
)

// handleOutput handles a message with output from the running cell.
func (p *proxy) handleOutput(e *execution, m *wire.Message, packet wire.Packet) {
	var content struct{ Name, Text string }
	if m.Decode(&content) != nil {
		p.broadcast(topic(packet), packet.Raw)
		return
	}
	e.noteExit(content.Name, content.Text)
	p.print(e, content.Name, e.errors.stream(content.Name, content.Text))
}

// print shows output from the running cell soon, or writes it to a file.
func (p *proxy) print(e *execution, name, text string) {
	s := &e.stream
	if s.rest == nil {
		fits := s.fit(text)
		p.buffer(e, name, text[:fits])
		if text = text[fits:]; text == "" {
			return
		}
		p.flush(e)
		s.rest, s.noted = newOutputFile(e.count, s.head.String()), time.Now()
		s.head.Reset()
	}
	s.rest.write(text)
	if time.Since(s.noted) >= noteInterval {
		p.showNote(e, false)
	}
}

// fit returns how many bytes of text can still be shown, and records them. It cuts at the end of a line, unless the
// first line does not fit.
func (s *stream) fit(text string) int {
	fits := min(len(text), shownBytes-s.head.Len())
	for fits > 0 && fits < len(text) && !utf8.RuneStart(text[fits]) {
		fits--
	}
	end := 0
	for s.lines < shownLines {
		length := strings.IndexByte(text[end:fits], '\n') + 1
		if length == 0 {
			break
		}
		end += length
		s.lines++
	}
	if s.lines < shownLines && (fits == len(text) || end == 0) {
		end = fits
	}
	s.head.WriteString(text[:end])
	return end
}

// buffer holds text for a short time, in which more may arrive.
func (p *proxy) buffer(e *execution, name, text string) {
	s := &e.stream
	if text == "" {
		return
	}
	if s.name != name {
		p.flush(e)
		s.name = name
	}
	s.waiting.WriteString(text)
	if s.timer != nil {
		return
	}
	wait := joinDelay
	if s.pieces >= quickPieces {
		wait = joinDelayLater
	}
	s.timer = time.AfterFunc(wait, func() {
		p.events.Lock()
		defer p.events.Unlock()
		if p.running == e {
			p.flush(e)
		}
	})
}

// flush sends the waiting output, so that it precedes what is published next.
func (p *proxy) flush(e *execution) {
	s := &e.stream
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if s.waiting.Len() == 0 {
		return
	}
	p.publish("stream", e.request, map[string]any{"name": s.name, "text": s.waiting.String()})
	s.waiting.Reset()
	s.pieces++
}

// lastWords is the maximum size, in bytes, of stderr output that is repeated in the box about the cell's end.
const lastWords = 4_000

// pendingStderr returns the waiting stderr output, if it is short.
func (s *stream) pendingStderr() string {
	if s.name != "stderr" || s.waiting.Len() > lastWords || s.rest != nil {
		return ""
	}
	return s.waiting.String()
}

// dropPending drops short waiting stderr output, because a box shows it.
func (s *stream) dropPending() {
	if s.name == "stderr" && s.rest == nil && s.waiting.Len() <= lastWords {
		s.waiting.Reset()
	}
}

// settle sends all output of a cell before the message that ends the cell.
func (p *proxy) settle(e *execution) {
	p.print(e, "stderr", e.errors.release())
	p.flush(e)
	if raw := e.errors.takeUnused(); raw != nil {
		p.broadcast([]byte("display_data"), raw)
	}
	if e.stream.rest != nil {
		e.stream.rest.close()
		p.showNote(e, true)
		e.stream = stream{}
	}
}

// showNote shows how much output is not shown and where it is stored. If last is set, it adds the last lines.
func (p *proxy) showNote(e *execution, last bool) {
	s := &e.stream
	messageType := "update_display_data"
	if s.note == "" {
		messageType, s.note = "display_data", wire.NewID()
	}
	s.noted = time.Now()
	text := s.rest.describe(last)
	p.publish(messageType, e.request, map[string]any{
		"data":      noticed(text),
		"metadata":  map[string]any{kernelext.VolatileOutput: true},
		"transient": map[string]any{"display_id": s.note}})
}

// noticed returns a text in a box with a coloured edge.
func noticed(text string) bundle {
	return bundle{"text/plain": text, "text/html": fmt.Sprintf(`<pre style="border-left:4px solid #0072b2;`+
		`padding:6px 12px;margin:6px 0;white-space:pre-wrap">%s</pre>`, html.EscapeString(text))}
}
