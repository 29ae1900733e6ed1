package launcher

import (
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// deliver handles a message from gonb. It sends a message that it cannot parse unchanged to all clients.
func (p *proxy) deliver(channel wire.Channel, packet wire.Packet) {
	m, err := wire.Parse(packet.Parts, p.key)
	p.events.Lock()
	defer p.events.Unlock()
	switch {
	case p.transparent:
		p.toAll(channel, packet.Raw)
	case err != nil:
		p.toAll(channel, packet.Raw)
	case channel == wire.IOPub:
		p.handlePublished(m, packet)
	case channel == wire.Shell:
		p.handleReply(m, packet.Raw)
	case channel == wire.Stdin:
		p.handleQuestion(m, packet.Raw)
	}
}

// handleReply passes gonb's reply to the client that sent the request.
func (p *proxy) handleReply(m *wire.Message, raw []byte) {
	if e := p.running; e != nil && e.request.Header.ID == m.Parent.ID {
		p.holdReply(e, m, raw)
		return
	}
	if c, ok := p.pending[m.Parent.ID]; ok {
		delete(p.pending, m.Parent.ID)
		c.send(raw)
	}
}

// handleQuestion passes a cell's input request to the front end that runs the cell, which has the same identity on
// stdin and shell.
func (p *proxy) handleQuestion(m *wire.Message, raw []byte) {
	e := p.running
	if e == nil {
		return
	}
	for c := range p.clients {
		if c.channel == wire.Stdin && c.peer.Identity == e.client.peer.Identity {
			c.send(raw)
		}
	}
}

// handlePublished passes on gonb's published messages, changed or extended according to the running cell's plan.
func (p *proxy) handlePublished(m *wire.Message, packet wire.Packet) {
	e := p.running
	if e == nil || e.request.Header.ID != m.Parent.ID {
		p.broadcast(topic(packet), packet.Raw)
		return
	}
	switch m.Header.Type {
	case "execute_input":
		p.handleStart(e, m, packet)
		return
	case "stream":
		p.handleOutput(e, m, packet)
		return
	case "display_data":
		if e.errors.readReport(m, packet.Raw) {
			return
		}
	case "error":
		e.note = ""
		if e.failure == nil {
			p.showFailure(e, m, packet)
		}
		return
	}
	ended := m.Header.Type == "status" && executionState(m) == "idle"
	if ended && e.direct != nil {
		p.concludeDirect(e, m, packet)
		return
	}
	if ended {
		p.settle(e)
		p.showLost(e)
	}
	p.flush(e)
	p.broadcast(topic(packet), packet.Raw)
	if ended {
		e.ended = true
		p.finish(e)
	}
}

// showLost shows the note about variables that lose the values assigned in this cell.
func (p *proxy) showLost(e *execution) {
	if e.note == "" || e.failure != nil {
		return
	}
	p.publish("display_data", e.request, map[string]any{"data": noticed(e.note), "metadata": map[string]any{},
		"transient": map[string]any{}})
}

// showFailure shows one box that describes how a failed cell ended.
func (p *proxy) showFailure(e *execution, m *wire.Message, packet wire.Packet) {
	e.errors.last = e.stream.pendingStderr()
	e.failure = e.errors.failure(m)
	if e.errors.last == "" {
		e.stream.dropPending()
	}
	p.settle(e)
	switch {
	case e.failure == nil:
		p.broadcast(topic(packet), packet.Raw)
	case e.failure.Quiet:
		p.publish("display_data", e.request, map[string]any{"data": bundle{"text/plain": e.failure.Value},
			"metadata": map[string]any{kernelext.VolatileOutput: true}, "transient": map[string]any{}})
	default:
		p.publish("error", e.request, e.failure)
	}
}

// handleStart shows the user's own code, then the launcher's outputs that precede the cell's.
func (p *proxy) handleStart(e *execution, m *wire.Message, packet wire.Packet) {
	var content map[string]any
	if m.Decode(&content) != nil {
		p.broadcast(topic(packet), packet.Raw)
		return
	}
	if count, ok := content["execution_count"].(float64); ok {
		e.count, e.errors.count = int(count), int(count)
	}
	raw := packet.Raw
	if content["code"] != e.code {
		content["code"] = e.code
		if m.Encode(content) == nil {
			raw = wire.Encode(m.Parts(p.key)...)
		}
	}
	p.broadcast(topic(packet), raw)
	if warning := p.notebook.warning; warning != "" {
		p.notebook.warning = ""
		p.publish("stream", e.request, map[string]any{"name": "stderr", "text": warning})
	}
	for i, b := range e.plan.show {
		if i < len(e.plan.show)-1 {
			p.publish("display_data", e.request,
				map[string]any{"data": b, "metadata": map[string]any{}, "transient": map[string]any{}})
			continue
		}
		p.publish("execute_result", e.request,
			map[string]any{"data": b, "metadata": map[string]any{}, "execution_count": e.count})
	}
	if e.failure != nil {
		p.publish("error", e.request, e.failure)
	}
}

// topic returns a message's topic, by which clients subscribe.
func topic(packet wire.Packet) []byte { return packet.Parts[0] }

func executionState(m *wire.Message) string {
	var content struct {
		State string `json:"execution_state"`
	}
	m.Decode(&content) // if the message has no state, the result is ""
	return content.State
}

func state(name string) map[string]any { return map[string]any{"execution_state": name} }

// broadcast sends bytes to the subscribers of a topic.
func (p *proxy) broadcast(topic, raw []byte) {
	for c := range p.clients {
		if c.channel == wire.IOPub && c.subscribed(topic) {
			c.send(raw)
		}
	}
}

// publish sends a message from the launcher to its subscribers.
func (p *proxy) publish(messageType string, parent *wire.Message, content any) {
	if p.transparent {
		return // gonb publishes this message itself, and the launcher's might split a copied one
	}
	if _, packet, ok := p.compose(messageType, parent, content); ok {
		p.broadcast(topic(packet), packet.Raw)
	}
}

// compose builds a message to publish. Its topic is its type.
func (p *proxy) compose(messageType string, parent *wire.Message, content any) (*wire.Message, wire.Packet, bool) {
	m, err := wire.New(messageType, p.session, parent, content)
	if err != nil {
		p.log.Print(err)
		return nil, wire.Packet{}, false
	}
	m.Identities = [][]byte{[]byte(messageType)}
	parts := m.Parts(p.key)
	return m, wire.Packet{Parts: parts, Raw: wire.Encode(parts...)}, true
}

// message returns the bytes of a reply to a request.
func (p *proxy) message(request *wire.Message, messageType string, content any) []byte {
	m, err := wire.New(messageType, p.session, request, content)
	if err != nil {
		p.log.Print(err)
		return nil
	}
	if request != nil {
		m.Identities = request.Identities
	}
	return wire.Encode(m.Parts(p.key)...)
}

// reply sends a reply from the launcher.
func (p *proxy) reply(c *client, request *wire.Message, messageType string, content any) {
	if raw := p.message(request, messageType, content); raw != nil {
		c.send(raw)
	}
}

// answer sends a reply between the busy and idle states that front ends expect. If a cell is running, answer then
// repeats the busy state, because some front ends show the last state that they received.
func (p *proxy) answer(c *client, request *wire.Message, messageType string, content any) {
	p.publish("status", request, state("busy"))
	p.reply(c, request, messageType, content)
	p.publish("status", request, state("idle"))
	if p.running != nil {
		p.publish("status", p.running.request, state("busy"))
	}
}
