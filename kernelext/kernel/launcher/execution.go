package launcher

import (
	"context"
	"encoding/json"
	"go/token"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// An execution is an execute_request that has not been answered yet.
type execution struct {
	client  *client
	request *wire.Message
	raw     []byte // request as received

	code   string // the user's cell
	plan   plan
	count  int    // gonb's execution count
	ended  bool   // whether gonb has published its idle state
	note   string // text below the output if the cell succeeds
	cancel func() // ends the wait for a build, or the search for the last expression's type

	direct *separateVerb // verb that runs as a program; nil if gonb builds the cell

	stream  stream
	errors  errorText
	failure *failure      // failure that replaces gonb's, or nil
	reply   *wire.Message // gonb's reply, held until everything before it has been published
	replied []byte        // bytes of reply
}

const (
	// abortDelay delays a failed cell's reply, so that all cells that a front end has sent together are queued and can
	// be aborted. Cells sent after the reply are not aborted.
	abortDelay = 20 * time.Millisecond

	// idleLimit limits how long a reply waits for messages that must be published before it.
	idleLimit = 2 * time.Second

	// interruptInterval is the time between repeated interrupts, which gonb ignores while compiling.
	interruptInterval = 200 * time.Millisecond
)

func (p *proxy) enqueue(c *client, m *wire.Message, raw []byte) {
	p.queue = append(p.queue, &execution{client: c, request: m, raw: raw})
	p.next()
}

// next starts the first queued execution if none is running.
func (p *proxy) next() {
	for p.running == nil && len(p.queue) > 0 && (p.backend != nil || p.unavailable != nil) {
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
		p.refuse(e, p.unavailable)
		return
	}
	p.history.add(e.code, content)
	e.plan = p.notebook.plan(e.code)
	e.failure = e.plan.failure
	e.errors = errorText{raw: p.rawError, cell: e.code, code: e.plan.code, root: p.goRoot, inserted: e.plan.inserted,
		explain: func(message string) string { return explainLost(message, p.program.locals, e.plan.body.locals()) }}
	if names := e.plan.body.changed(func(name string) bool { return p.program.variables[name] }); len(names) > 0 {
		e.note = lostNote(names)
	}
	e.note = strings.TrimSpace(e.note + " " + p.importNote(e.code))
	if e.plan.verb != nil {
		p.startDirect(e)
	}
	p.running = e
	p.awaitWarm(e, func() {
		if e.plan.last == nil || !p.program.kernelextVisible(e.plan.body) {
			p.passCell(e, content)
			return
		}
		p.typeLast(e, content)
	})
}

// importNote explains that a cell imports packages that do not exist.
func (p *proxy) importNote(code string) string {
	lines := strings.Split(code, "\n")
	if !strings.Contains(code, "import") || !isGo(lines) {
		return ""
	}
	std := standard{p.goRoot}
	return importNote(parseCell(token.NewFileSet(), lines), std, func(path string) bool {
		return hasPackage(std, p.root, path)
	})
}

// typeLast determines the type of a cell's last expression, makes the cell show it, and passes the cell to gonb.
func (p *proxy) typeLast(e *execution, content map[string]any) {
	pass := func(how form, found bool) {
		if !found && !isCall(e.plan.last) {
			how, found = rich, true
		}
		if found {
			e.plan.showLast(how)
			e.errors.code, e.errors.inserted = e.plan.code, e.plan.inserted
		}
		p.passCell(e, content)
	}
	if p.checker == nil {
		pass(form{}, false)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	e.cancel = cancel
	cell, others := p.program.files(e.plan.lines, p.imported, standard{p.goRoot})
	p.async(func() func() {
		how, found := p.checker.form(ctx, cell, others)
		return func() {
			cancel()
			pass(how, found)
		}
	})
}

// passCell passes a cell to gonb, with its planned code.
func (p *proxy) passCell(e *execution, content map[string]any) {
	raw := e.raw
	if filled := completeRequest(content); filled || e.plan.code != e.code {
		content["code"] = e.plan.code
		if e.request.Encode(content) == nil {
			raw = wire.Encode(e.request.Parts(p.key)...)
		}
	}
	p.forward(wire.Shell, raw)
}

// read decodes the request and sets the code.
func (e *execution) read() (content map[string]any, ok bool) {
	if e.request.Decode(&content) != nil {
		return nil, false
	}
	e.code, ok = content["code"].(string)
	return content, ok
}

// completeRequest adds the fields without which gonb exits, and reports whether any was missing.
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

// refuse answers an execution without passing it to gonb.
func (p *proxy) refuse(e *execution, why *failure) {
	p.running = e
	p.publish("status", e.request, state("busy"))
	p.publish("execute_input", e.request, map[string]any{"code": e.code, "execution_count": 0})
	p.publish("error", e.request, why)
	p.publish("status", e.request, state("idle"))
	p.fail(e, p.message(e.request, "execute_reply", failedReply(why, 0)))
}

// fail sends a failed execution's reply after abortDelay, and aborts the queued ones.
func (p *proxy) fail(e *execution, reply []byte) {
	time.AfterFunc(abortDelay, func() {
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

// holdReply holds gonb's reply until gonb has published its idle state, at most idleLimit.
func (p *proxy) holdReply(e *execution, reply *wire.Message, raw []byte) {
	e.reply, e.replied = reply, raw
	if e.ended {
		p.finish(e)
		return
	}
	time.AfterFunc(idleLimit, func() {
		p.events.Lock()
		defer p.events.Unlock()
		if p.running == e && e.reply != nil && !e.ended {
			p.publish("status", e.request, state("idle")) // gonb's idle state was lost, and front ends wait for one
		}
		p.finish(e)
	})
}

// finish sends the running execution's reply and starts the next execution.
func (p *proxy) finish(e *execution) {
	if p.running != e || e.reply == nil {
		return
	}
	reply := e.replied
	if e.failure != nil {
		reply = p.message(e.request, "execute_reply", failedReply(e.failure, e.count))
	}
	failed := e.failure != nil || replyStatus(e.reply) != "ok"
	e.reply = nil // do not finish twice
	if failed {
		p.fail(e, reply)
		return
	}
	p.program.add(e.code)
	p.program.noteLocals(e.plan.body, e.count)
	e.client.send(reply)
	p.running = nil
	p.next()
}

func replyStatus(m *wire.Message) string {
	var content struct{ Status string }
	json.Unmarshal(m.Content, &content)
	return content.Status
}

// abort answers the queued executions, except those with stop_on_error false.
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

// interrupt stops the running cell and aborts the queued ones, because the stop button applies to all.
func (p *proxy) interrupt(raw []byte) {
	p.abort()
	e := p.running
	if e == nil {
		return
	}
	if e.cancel != nil {
		e.cancel()
	}
	p.forward(wire.Control, raw)
	time.AfterFunc(interruptInterval, func() {
		p.events.Lock()
		defer p.events.Unlock()
		if p.running == e && e.reply == nil {
			p.interrupt(raw)
		}
	})
}
