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

// A stream joins what a running cell prints, so that a front end gets a few messages for many lines, and stops showing
// it before a tab freezes: the rest goes to a file.
type stream struct {
	name    string // stdout or stderr, of what waits
	waiting strings.Builder
	timer   *time.Timer
	pieces  int // that were sent

	head  strings.Builder // all that was printed while all is shown
	lines int             // of it
	rest  *spill          // where it goes on; nil while all is shown

	note string    // the id of the display that says so
	told time.Time // when it last did
}

const (
	// joined is how long what a cell prints waits for more, at first and after quickPieces.
	joined      = 100 * time.Millisecond
	joinedLater = 500 * time.Millisecond
	quickPieces = 20

	// shownLines and shownBytes are what a cell may print into the notebook. A page takes seconds for ten times as
	// much, and every copy of the notebook holds it.
	shownLines = 5_000
	shownBytes = 300_000

	// retold is how often a cell that goes on printing is told of.
	retold = time.Second
)

// heard takes a message with what the cell that runs prints.
func (p *proxy) heard(e *execution, m *wire.Message, packet wire.Packet) {
	var content struct{ Name, Text string }
	if m.Decode(&content) != nil {
		p.broadcast(topic(packet), packet.Raw)
		return
	}
	e.noted(content.Name, content.Text)
	p.print(e, content.Name, e.errors.stream(content.Name, content.Text))
}

// print shows what the cell that runs has printed, soon, or writes it to a file.
func (p *proxy) print(e *execution, name, text string) {
	s := &e.stream
	if s.rest == nil {
		fits := s.fitting(text)
		p.hold(e, name, text[:fits])
		if text = text[fits:]; text == "" {
			return
		}
		p.pour(e)
		s.rest, s.told = newSpill(e.count, s.head.String()), time.Now()
		s.head.Reset()
	}
	s.rest.write(text)
	if time.Since(s.told) >= retold {
		p.tell(e, false)
	}
}

// fitting is how much of a text may still be shown: whole lines, unless one line is more than there is room for.
func (s *stream) fitting(text string) int {
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

// hold keeps a text for a moment, in which more may come.
func (p *proxy) hold(e *execution, name, text string) {
	s := &e.stream
	if text == "" {
		return
	}
	if s.name != name {
		p.pour(e)
		s.name = name
	}
	s.waiting.WriteString(text)
	if s.timer != nil {
		return
	}
	wait := joined
	if s.pieces >= quickPieces {
		wait = joinedLater
	}
	s.timer = time.AfterFunc(wait, func() {
		p.events.Lock()
		defer p.events.Unlock()
		if p.running == e {
			p.pour(e)
		}
	})
}

// pour sends what waits. What is published after it stays behind it.
func (p *proxy) pour(e *execution) {
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

// lastWords is how much of what was printed a moment before the end goes into the box that tells of the end.
const lastWords = 4_000

// justPrinted is what waits on stderr, if it is short.
func (s *stream) justPrinted() string {
	if s.name != "stderr" || s.waiting.Len() > lastWords || s.rest != nil {
		return ""
	}
	return s.waiting.String()
}

// forget drops what waits: it is shown elsewhere.
func (s *stream) forget() {
	if s.name == "stderr" && s.rest == nil && s.waiting.Len() <= lastWords {
		s.waiting.Reset()
	}
}

// settle sends everything that a cell has printed, before what ends it is said.
func (p *proxy) settle(e *execution) {
	p.print(e, "stderr", e.errors.released())
	p.pour(e)
	if raw := e.errors.unused(); raw != nil {
		p.broadcast([]byte("display_data"), raw)
	}
	if e.stream.rest != nil {
		e.stream.rest.close()
		p.tell(e, true)
		e.stream = stream{}
	}
}

// tell says how much is not shown and where it is; at the end with the last lines.
func (p *proxy) tell(e *execution, last bool) {
	s := &e.stream
	messageType := "update_display_data"
	if s.note == "" {
		messageType, s.note = "display_data", wire.NewID()
	}
	s.told = time.Now()
	text := s.rest.describe(last)
	p.publish(messageType, e.request, map[string]any{
		"data": bundle{"text/plain": text, "text/html": fmt.Sprintf(`<pre style="border-left:4px solid #0072b2;`+
			`padding:6px 12px;margin:6px 0;white-space:pre-wrap">%s</pre>`, html.EscapeString(text))},
		"metadata":  map[string]any{kernelext.VolatileOutput: true},
		"transient": map[string]any{"display_id": s.note}})
}
