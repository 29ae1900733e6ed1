package launcher

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/gopls"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// receive does what a client's message asks for. A message that is not signed with the key is dropped.
func (p *proxy) receive(c *client, packet wire.Packet) {
	p.events.Lock()
	defer p.events.Unlock()
	if c.channel == wire.IOPub {
		if topic, begins := c.subscribe(packet.Parts[0]); begins {
			p.welcome(c, topic)
		}
		return
	}
	m, err := wire.Parse(packet.Parts, p.key)
	if err != nil {
		p.log.Printf("%s: dropped a message: %v", c.channel, err)
		return
	}
	switch {
	case p.transparent:
		p.forward(c.channel, packet.Raw)
	case c.channel == wire.Shell:
		p.shell(c, m, packet.Raw)
	case c.channel == wire.Control:
		p.control(c, m, packet.Raw)
	case c.channel == wire.Stdin:
		p.forward(wire.Stdin, packet.Raw)
	}
}

// welcome tells a subscriber that nothing is missed from now on.
func (p *proxy) welcome(c *client, topic []byte) {
	p.reply(c, nil, "iopub_welcome", map[string]any{"subscription": string(topic)})
}

// shell does what a request on the shell channel asks for.
func (p *proxy) shell(c *client, m *wire.Message, raw []byte) {
	switch m.Header.Type {
	case "execute_request":
		p.enqueue(c, m, raw)
	case "complete_request":
		p.complete(c, m, raw)
	case "inspect_request":
		p.inspect(c, m, raw)
	case "is_complete_request":
		p.answer(c, m, "is_complete_reply", completeness(m))
	case "history_request":
		p.answer(c, m, "history_reply", p.history.reply(m))
	case "comm_info_request":
		p.answer(c, m, "comm_info_reply", map[string]any{"status": "ok", "comms": map[string]any{}})
	default:
		if !p.either(c, m, raw) {
			p.pass(c, m, raw)
		}
	}
}

func completeness(m *wire.Message) map[string]any {
	var content struct{ Code string }
	if m.Decode(&content) != nil {
		return map[string]any{"status": "unknown"}
	}
	status, indent := isComplete(content.Code)
	if status != cellIncomplete {
		return map[string]any{"status": status}
	}
	return map[string]any{"status": status, "indent": indent}
}

// either does what both shell and control may ask for, and says whether it knew the request.
func (p *proxy) either(c *client, m *wire.Message, raw []byte) bool {
	switch m.Header.Type {
	case "kernel_info_request":
		p.answer(c, m, "kernel_info_reply", p.info)
	case "interrupt_request":
		p.answer(c, m, "interrupt_reply", map[string]any{"status": "ok"})
		p.interrupt(raw)
	case "shutdown_request":
		p.shutdown(c, m, raw)
	default:
		return false
	}
	return true
}

// control does what a request on the control channel asks for. gonb sends its answers on shell, so ours go out instead.
func (p *proxy) control(c *client, m *wire.Message, raw []byte) {
	if !p.either(c, m, raw) {
		p.forward(wire.Control, raw)
	}
}

// pass gives gonb a request that it answers itself.
func (p *proxy) pass(c *client, m *wire.Message, raw []byte) {
	if len(p.pending) > pendingLimit {
		clear(p.pending)
	}
	p.pending[m.Header.ID] = c
	p.forward(wire.Shell, raw)
}

// An inquiry is the content of complete_request and inspect_request.
type inquiry struct {
	Code        *string `json:"code"`
	Cursor      *int    `json:"cursor_pos"`
	DetailLevel *int    `json:"detail_level"`
}

// read gives code and cursor. gonb ends at a request without them, so ok is false then.
func (q *inquiry) read(m *wire.Message) (code []rune, cursor int, ok bool) {
	if m.Decode(q) != nil || q.Code == nil || q.Cursor == nil {
		return nil, 0, false
	}
	code = []rune(*q.Code)
	return code, max(0, min(*q.Cursor, len(code))), true
}

func (p *proxy) complete(c *client, m *wire.Message, raw []byte) {
	var q inquiry
	code, cursor, ok := q.read(m)
	reply := func(matches []gopls.Match, start int) {
		p.answer(c, m, "complete_reply", completion(matches, start, cursor))
	}
	if !ok {
		reply(nil, cursor)
		return
	}
	if completesMagic(code, cursor) {
		p.later(func() func() {
			words, start := completeMagic(code, cursor, p.offers, p.manual.flags)
			matches := make([]gopls.Match, len(words))
			for i, w := range words {
				matches[i].Text = w
			}
			return func() { reply(matches, start) }
		})
		return
	}
	d, isGo := p.document(code, cursor)
	if !isGo || p.language == nil {
		reply(nil, cursor)
		return
	}
	language := p.language
	p.later(func() func() {
		matches, start := language.complete(d, code, cursor)
		return func() { reply(matches, start) }
	})
}

// completion is the content of a complete_reply. Kinds and signatures are for front ends that show them.
func completion(matches []gopls.Match, start, end int) map[string]any {
	texts, kinds := []string{}, []any{}
	for _, m := range matches {
		texts = append(texts, m.Text)
		if m.Kind != "" {
			kinds = append(kinds, map[string]any{"text": m.Text, "type": m.Kind, "signature": m.Detail, "start": start,
				"end": end})
		}
	}
	metadata := map[string]any{}
	if len(kinds) > 0 {
		metadata["_jupyter_types_experimental"] = kinds
	}
	return map[string]any{"status": "ok", "matches": texts, "cursor_start": start, "cursor_end": end,
		"metadata": metadata}
}

// document is the kernel's program with a cell that is not run.
func (p *proxy) document(code []rune, cursor int) (d gopls.Document, isGo bool) {
	return p.program.document(code, cursor, p.imported, standard{p.goRoot})
}

func (p *proxy) inspect(c *client, m *wire.Message, raw []byte) {
	var q inquiry
	code, cursor, ok := q.read(m)
	reply := func(data map[string]any) {
		p.answer(c, m, "inspect_reply",
			map[string]any{"status": "ok", "found": len(data) > 0, "data": data, "metadata": map[string]any{}})
	}
	switch {
	case ok && inspectsMagic(code, cursor):
		p.later(func() func() {
			text := inspectMagic(code, cursor, func(verb string) string { return p.manual.ask(verb, "--help") })
			return func() { reply(map[string]any{"text/plain": text}) }
		})
	case ok:
		p.inspectGo(code, cursor, reply)
	default:
		reply(map[string]any{})
	}
}

// noLanguage tells who asks for documentation what brings it.
const noLanguage = "no gopls, which knows Go: run unlearnlab kernel install, then restart the kernel"

func (p *proxy) inspectGo(code []rune, cursor int, reply func(data map[string]any)) {
	d, isGo := p.document(code, cursor)
	switch {
	case !isGo:
		reply(map[string]any{})
		return
	case p.language == nil:
		reply(map[string]any{"text/plain": noLanguage})
		return
	}
	documents := []gopls.Document{d}
	if at := called(code, cursor); at != cursor {
		if d, isGo := p.document(code, at); isGo {
			documents = append(documents, d)
		}
		if !touchesName(code, cursor) {
			slices.Reverse(documents) // the function is asked for, between whose brackets nothing stands here
		}
	}
	language := p.language
	p.later(func() func() {
		data := map[string]any{}
		if text := language.inspect(documents); text != "" {
			data["text/markdown"], data["text/plain"] = text, text
		}
		return func() { reply(data) }
	})
}

// later finds something out while other messages go on, and then does what that led to.
func (p *proxy) later(find func() (act func())) {
	go func() {
		act := find()
		p.events.Lock()
		defer p.events.Unlock()
		act()
	}()
}

// shutdown answers, and lets gonb go.
func (p *proxy) shutdown(c *client, m *wire.Message, raw []byte) {
	var content struct{ Restart bool }
	m.Decode(&content) // a request without content means no restart
	reply := map[string]any{"status": "ok", "restart": content.Restart}
	p.answer(c, m, "shutdown_reply", reply)
	p.publish("shutdown_reply", m, reply)
	p.forward(wire.Control, raw)
	select {
	case <-p.quit:
	default:
		close(p.quit)
	}
}
