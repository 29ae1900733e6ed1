package launcher

import (
	"encoding/json"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// An execution is one execute_request on its way.
type execution struct {
	client  *client
	request *wire.Message
	raw     []byte // as it came

	code  string // as the user wrote it
	plan  plan
	count int  // gonb's execution count
	ended bool // gonb has published its idle state

	direct *direct // nil for what gonb builds

	stream  stream
	errors  errorText
	failure *failure      // in our words, where they replace gonb's
	reply   *wire.Message // gonb's, held until everything before it was published
	replied []byte        // the same as bytes
}

const (
	// gather is how long a failed cell's answer waits, so that cells which a front end sends in one go are all here to
	// be aborted. Who sends a cell after the answer is not aborted.
	gather = 20 * time.Millisecond

	// idleLimit is how long an answer waits for what should be published before it.
	idleLimit = 2 * time.Second

	// insist is how often the stop button is pressed for the user: gonb does not hear it while it compiles.
	insist = 200 * time.Millisecond
)

func (p *proxy) enqueue(c *client, m *wire.Message, raw []byte) {
	p.queue = append(p.queue, &execution{client: c, request: m, raw: raw})
	p.next()
}

// next starts the first execution that waits, if nothing runs.
func (p *proxy) next() {
	for p.running == nil && len(p.queue) > 0 && (p.backend != nil || p.trouble != nil) {
		e := p.queue[0]
		p.queue = p.queue[1:]
		p.begin(e)
	}
}

func (p *proxy) begin(e *execution) {
	content, ok := e.read()
	switch {
	case !ok:
		p.refuse(e, fail("bad request", "an execute_request without code"))
		return
	case p.backend == nil:
		p.refuse(e, p.trouble)
		return
	}
	p.history.add(e.code, content)
	e.errors = errorText{raw: p.rawError, code: e.code, root: p.goRoot}
	e.plan = p.notebook.plan(e.code)
	e.failure = e.plan.failure
	if e.plan.verb != nil {
		p.direct(e)
	}
	raw := e.raw
	if e.plan.code != e.code || completeRequest(content) {
		content["code"] = e.plan.code
		if e.request.Encode(content) == nil {
			raw = wire.Encode(e.request.Parts(p.key)...)
		}
	}
	p.running = e
	p.forward(wire.Shell, raw)
}

// read gets the code out of the request.
func (e *execution) read() (content map[string]any, ok bool) {
	if e.request.Decode(&content) != nil {
		return nil, false
	}
	e.code, ok = content["code"].(string)
	return content, ok
}

// completeRequest fills in what gonb ends at when it is missing, and says whether it did.
func completeRequest(content map[string]any) (filled bool) {
	silent, _ := content["silent"].(bool)
	for field, usual := range map[string]bool{"silent": false, "store_history": !silent, "allow_stdin": false,
		"stop_on_error": true} {
		if _, ok := content[field].(bool); !ok {
			content[field] = usual
			filled = true
		}
	}
	return filled
}

// refuse answers an execution that gonb does not get.
func (p *proxy) refuse(e *execution, why *failure) {
	p.running = e
	p.publish("status", e.request, state("busy"))
	p.publish("execute_input", e.request, map[string]any{"code": e.code, "execution_count": 0})
	p.publish("error", e.request, why)
	p.publish("status", e.request, state("idle"))
	p.fail(e, p.message(e.request, "execute_reply", failedReply(why, 0)))
}

// fail sends the reply of an execution that went wrong and aborts those that wait.
func (p *proxy) fail(e *execution, reply []byte) {
	time.AfterFunc(gather, func() {
		p.events.Lock()
		defer p.events.Unlock()
		if p.transparent {
			return
		}
		e.client.send(reply)
		p.running = nil
		p.abort()
		p.next()
	})
}

func failedReply(why *failure, count int) map[string]any {
	return map[string]any{"status": "error", "execution_count": count, "ename": why.Name, "evalue": why.Value,
		"traceback": why.Traceback}
}

// answered keeps gonb's reply until gonb has published all that belongs before it.
func (p *proxy) answered(e *execution, reply *wire.Message, raw []byte) {
	e.reply, e.replied = reply, raw
	if e.ended {
		p.finish(e)
		return
	}
	time.AfterFunc(idleLimit, func() {
		p.events.Lock()
		defer p.events.Unlock()
		if p.running == e && e.reply != nil && !e.ended {
			p.publish("status", e.request, state("idle")) // gonb's was lost, and front ends wait for one
		}
		p.finish(e)
	})
}

// finish sends the reply of the execution that runs and starts the next.
func (p *proxy) finish(e *execution) {
	if p.running != e || e.reply == nil {
		return
	}
	reply := e.replied
	if e.failure != nil {
		reply = p.message(e.request, "execute_reply", failedReply(e.failure, e.count))
	}
	failed := e.failure != nil || replyStatus(e.reply) != "ok"
	e.reply = nil // nothing finishes twice
	if failed {
		p.fail(e, reply)
		return
	}
	p.program.add(e.code)
	e.client.send(reply)
	p.running = nil
	p.next()
}

func replyStatus(m *wire.Message) string {
	var content struct{ Status string }
	json.Unmarshal(m.Content, &content)
	return content.Status
}

// abort answers the executions that wait, except those that do not mind errors.
func (p *proxy) abort() {
	var kept []*execution
	for _, e := range p.queue {
		var content struct {
			StopOnError *bool `json:"stop_on_error"`
		}
		if e.request.Decode(&content) == nil && content.StopOnError != nil && !*content.StopOnError {
			kept = append(kept, e)
			continue
		}
		p.answer(e.client, e.request, "execute_reply", map[string]any{"status": "aborted"})
	}
	p.queue = kept
}

// interrupt stops the cell that runs and forgets those that wait: who presses stop means all of them.
func (p *proxy) interrupt(raw []byte) {
	p.abort()
	e := p.running
	if e == nil {
		return
	}
	p.forward(wire.Control, raw)
	time.AfterFunc(insist, func() {
		p.events.Lock()
		defer p.events.Unlock()
		if p.running == e && e.reply == nil {
			p.interrupt(raw)
		}
	})
}
