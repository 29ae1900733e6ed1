package launcher

import (
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// deliver does what a message of gonb asks for. What cannot be read is passed on as it is.
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
		p.published(m, packet)
	case channel == wire.Shell:
		p.replied(m, packet.Raw)
	case channel == wire.Stdin:
		p.asked(m, packet.Raw)
	}
}

// replied passes a reply of gonb's to whom it belongs.
func (p *proxy) replied(m *wire.Message, raw []byte) {
	if e := p.running; e != nil && e.request.Header.ID == m.Parent.ID {
		p.answered(e, m, raw)
		return
	}
	if c, ok := p.pending[m.Parent.ID]; ok {
		delete(p.pending, m.Parent.ID)
		c.send(raw)
	}
}

// asked passes a cell's question to the front end that runs the cell, which has the same identity on stdin as on shell.
func (p *proxy) asked(m *wire.Message, raw []byte) {
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

// published passes on what gonb publishes, with what the plan of the running cell adds or changes.
func (p *proxy) published(m *wire.Message, packet wire.Packet) {
	e := p.running
	if e == nil || e.request.Header.ID != m.Parent.ID {
		p.broadcast(topic(packet), packet.Raw)
		return
	}
	switch m.Header.Type {
	case "execute_input":
		p.started(e, m, packet)
		return
	case "stream":
		p.heard(e, m, packet)
		return
	case "display_data":
		if e.errors.tells(m, packet.Raw) {
			return
		}
	case "error":
		if e.failure == nil {
			p.failed(e, m, packet)
		}
		return
	}
	ended := m.Header.Type == "status" && executionState(m) == "idle"
	if ended && e.direct != nil {
		p.concluded(e, m, packet)
		return
	}
	if ended {
		p.settle(e)
	}
	p.pour(e)
	p.broadcast(topic(packet), packet.Raw)
	if ended {
		e.ended = true
		p.finish(e)
	}
}

// failed shows how a cell ended that did not end well, in one box.
func (p *proxy) failed(e *execution, m *wire.Message, packet wire.Packet) {
	e.errors.last = e.stream.justPrinted()
	e.failure = e.errors.failure(m)
	if e.errors.last == "" {
		e.stream.forget()
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

// started shows the user's own code, and what the launcher has to show before the cell's output.
func (p *proxy) started(e *execution, m *wire.Message, packet wire.Packet) {
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

// topic is what subscribers of a message of gonb's ask for.
func topic(packet wire.Packet) []byte { return packet.Parts[0] }

func executionState(m *wire.Message) string {
	var content struct {
		State string `json:"execution_state"`
	}
	m.Decode(&content) // no state is none
	return content.State
}

func state(name string) map[string]any { return map[string]any{"execution_state": name} }

// broadcast sends bytes to every subscriber of the topic.
func (p *proxy) broadcast(topic, raw []byte) {
	for c := range p.clients {
		if c.channel == wire.IOPub && c.wants(topic) {
			c.send(raw)
		}
	}
}

// publish sends a message of our own to every subscriber.
func (p *proxy) publish(messageType string, parent *wire.Message, content any) {
	if p.transparent {
		return // gonb says it, and a message of ours might come between the pieces of one of gonb's
	}
	if _, packet, ok := p.composed(messageType, parent, content); ok {
		p.broadcast(topic(packet), packet.Raw)
	}
}

// composed is a message of our own to subscribers, whose topic is its type.
func (p *proxy) composed(messageType string, parent *wire.Message, content any) (*wire.Message, wire.Packet, bool) {
	m, err := wire.New(messageType, p.session, parent, content)
	if err != nil {
		p.log.Print(err)
		return nil, wire.Packet{}, false
	}
	m.Identities = [][]byte{[]byte(messageType)}
	parts := m.Parts(p.key)
	return m, wire.Packet{Parts: parts, Raw: wire.Encode(parts...)}, true
}

// message returns the bytes of an answer to a request.
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

// reply sends an answer of our own.
func (p *proxy) reply(c *client, request *wire.Message, messageType string, content any) {
	if raw := p.message(request, messageType, content); raw != nil {
		c.send(raw)
	}
}

// answer is reply with the states around it that front ends wait for. Some show the last state they heard, so a cell
// that runs says again that it does.
func (p *proxy) answer(c *client, request *wire.Message, messageType string, content any) {
	p.publish("status", request, state("busy"))
	p.reply(c, request, messageType, content)
	p.publish("status", request, state("idle"))
	if p.running != nil {
		p.publish("status", p.running.request, state("busy"))
	}
}
