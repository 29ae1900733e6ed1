package launcher

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/gopls"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// receive handles a client's message. It drops messages that are not signed with the key.
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

// welcome tells a subscriber that it misses no message from now on.
func (p *proxy) welcome(c *client, topic []byte) {
	p.reply(c, nil, "iopub_welcome", map[string]any{"subscription": string(topic)})
}

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
		if !p.handleCommon(c, m, raw) {
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

// handleCommon handles requests that may arrive on shell or control. It reports whether it did.
func (p *proxy) handleCommon(c *client, m *wire.Message, raw []byte) bool {
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

// control handles a request on the control channel. gonb answers such requests on shell, so the launcher answers the
// common ones itself.
func (p *proxy) control(c *client, m *wire.Message, raw []byte) {
	if !p.handleCommon(c, m, raw) {
		p.forward(wire.Control, raw)
	}
}

// pass forwards a request that gonb answers.
func (p *proxy) pass(c *client, m *wire.Message, raw []byte) {
	if len(p.pending) > pendingLimit {
		clear(p.pending)
	}
	p.pending[m.Header.ID] = c
	p.forward(wire.Shell, raw)
}

// An inquiry is the content of a complete_request or inspect_request.
type inquiry struct {
	Code        *string `json:"code"`
	Cursor      *int    `json:"cursor_pos"`
	DetailLevel *int    `json:"detail_level"`
}

// read decodes code and cursor. ok is false if one is missing; gonb would exit on such a request.
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
		p.async(func() func() {
			words, start := completeMagic(code, cursor, p.offers, p.manual.complete)
			matches := make([]gopls.Match, len(words))
			for i, w := range words {
				matches[i].Text = w
			}
			return func() { reply(matches, start) }
		})
		return
	}
	d, isGo := p.document(code, cursor)
	if !isGo {
		reply(nil, cursor)
		return
	}
	language, packages := p.language, sources{standard{p.goRoot}, p.root}
	p.async(func() func() {
		matches, start, ready := language.complete(d, code, cursor)
		if !ready {
			matches, start = packages.complete(d, code, cursor)
		}
		return func() { reply(matches, start) }
	})
}

// completion returns the content of a complete_reply. Kinds and signatures are for front ends that can show them.
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

// document returns the kernel's program together with a cell that has not been run.
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
		p.async(func() func() {
			text := inspectMagic(code, cursor, func(verb string) string { return p.manual.ask(verb, "--help") })
			return func() { reply(map[string]any{"text/plain": text}) }
		})
	case ok:
		p.inspectGo(code, cursor, reply)
	default:
		reply(map[string]any{})
	}
}

// noLanguage is shown as documentation if there is no language server.
const noLanguage = "no gopls, the Go language server: run unlearnlab kernel install, then restart the kernel"

func (p *proxy) inspectGo(code []rune, cursor int, reply func(data map[string]any)) {
	d, isGo := p.document(code, cursor)
	switch {
	case !isGo:
		reply(map[string]any{})
		return
	case p.language == nil && p.backend == nil && p.unavailable == nil:
		reply(map[string]any{"text/plain": "the kernel is starting; try again"})
		return
	case p.language == nil:
		reply(map[string]any{"text/plain": noLanguage})
		return
	}
	documents := []gopls.Document{d}
	if at := calledAt(code, cursor); at != cursor {
		if d, isGo := p.document(code, at); isGo {
			documents = append(documents, d)
		}
		if !touchesName(code, cursor) {
			slices.Reverse(documents) // no name at the cursor, so the called function comes first
		}
	}
	language := p.language
	p.async(func() func() {
		data := map[string]any{}
		if text := language.inspect(documents); text != "" {
			data["text/markdown"], data["text/plain"] = text, text
		}
		return func() { reply(data) }
	})
}

// async runs find in the background, while other messages are handled, and then calls the function that find returned.
func (p *proxy) async(find func() (act func())) {
	go func() {
		act := find()
		p.events.Lock()
		defer p.events.Unlock()
		act()
	}()
}

// shutdown answers the request and ends gonb.
func (p *proxy) shutdown(c *client, m *wire.Message, raw []byte) {
	var content struct{ Restart bool }
	m.Decode(&content) // without content, it is no restart
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
