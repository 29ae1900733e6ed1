package notebook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// Time limits for a kernel.
const (
	startLimit = 60 * time.Second // until the kernel answers
	// from the first interrupt to the end of the cell; gonb kills a cell that ignores an interrupt for 5 s
	interruptTime = 10 * time.Second
	interruptGap  = time.Second // between interrupts, which gonb ignores while it compiles
	shutdownTime  = 5 * time.Second
	trailingTime  = 10 * time.Second // from the reply to the idle state
)

// A session is a connection to a running kernel.
type session struct {
	process   *process
	shell     *wire.Peer
	control   *wire.Peer
	iopub     *wire.Peer
	id        string
	replies   chan *wire.Message // messages from the shell channel
	published chan *wire.Message // messages from iopub
}

// open starts a kernel and waits until its replies and published messages arrive.
func open(ctx context.Context, k Kernel) (*session, error) {
	p, err := launch(k)
	if err != nil {
		return nil, err
	}
	s := &session{process: p, id: wire.NewID(), replies: make(chan *wire.Message, 64),
		published: make(chan *wire.Message, 1024)}
	if err := s.connect(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *session) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	go func() { // do not wait for a kernel that has died
		select {
		case <-s.process.exited:
			cancel()
		case <-ctx.Done():
		}
	}()
	for _, c := range []struct {
		channel wire.Channel
		peer    **wire.Peer
	}{{wire.IOPub, &s.iopub}, {wire.Shell, &s.shell}, {wire.Control, &s.control}} {
		peer, err := wire.Dial(ctx, s.process.connection, c.channel, s.id)
		if err != nil {
			return s.explain(err)
		}
		*c.peer = peer
	}
	go pump(s.shell, s.replies)
	go pump(s.iopub, s.published)
	return s.explain(s.ready(ctx))
}

// explain returns err, or its cause if the kernel has ended or did not answer in time.
func (s *session) explain(err error) error {
	if err == nil {
		return nil
	}
	if s.process.exitsWithin(50 * time.Millisecond) {
		return s.process.exitError()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("the kernel does not answer within %v: %w", startLimit, err)
	}
	return err
}

// pump moves messages into a channel until the connection ends, then closes the channel.
func pump(peer *wire.Peer, to chan<- *wire.Message) {
	defer close(to)
	for {
		m, err := peer.Receive()
		if err != nil {
			return
		}
		to <- m
	}
}

// ready requests kernel information until a reply and a published message have arrived. A subscription takes effect
// some time after it was sent, and messages published before that are lost.
func (s *session) ready(ctx context.Context) error {
	answered, heard := false, false
	for !answered || !heard {
		if _, err := s.send(s.shell, "kernel_info_request", struct{}{}); err != nil {
			return err
		}
		again := time.After(time.Second)
		for waiting := true; waiting && !(answered && heard); {
			select {
			case m, ok := <-s.replies:
				if !ok {
					return errors.New("the kernel closed its shell channel")
				}
				answered = answered || m.Header.Type == "kernel_info_reply"
			case _, ok := <-s.published:
				if !ok {
					return errors.New("the kernel closed its iopub channel")
				}
				heard = true
			case <-again:
				waiting = false
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

func (s *session) send(peer *wire.Peer, kind string, content any) (*wire.Message, error) {
	m, err := wire.New(kind, s.id, nil, content)
	if err != nil {
		return nil, err
	}
	return m, peer.Send(m)
}

// An outcome describes how a cell's execution ended.
type outcome struct {
	status   string // ok, error or aborted
	name     string // name of an error
	value    string
	count    int
	timedOut bool
	stopped  bool // whether the context ended
}

// execute runs code and calls handle with every message published about it. It interrupts the cell at its time limit or
// when ctx ends. After an error, the kernel is unusable.
func (s *session) execute(ctx context.Context, code string, limit time.Duration, handle func(*wire.Message)) (outcome,
	error) {
	var o outcome
	request, err := s.send(s.shell, "execute_request",
		map[string]any{"code": code, "silent": false, "store_history": true,
			"user_expressions": map[string]any{}, "allow_stdin": false, "stop_on_error": true})
	if err != nil {
		return o, s.explain(err)
	}
	var giveUp, again <-chan time.Time // set by the first interrupt
	over, stop := time.After(limit), ctx.Done()
	interrupt := func() error {
		over, stop, again = nil, nil, time.After(interruptGap)
		if giveUp == nil {
			giveUp = time.After(interruptTime)
		}
		_, err := s.send(s.control, "interrupt_request", struct{}{})
		return err
	}
	for idle, replied := false, false; !idle || !replied; {
		select {
		case m, ok := <-s.published:
			if !ok {
				return o, s.explain(errors.New("the kernel closed its iopub channel"))
			}
			if m.Parent.ID == request.Header.ID {
				idle = idle || isIdle(m)
				handle(m)
			}
		case m, ok := <-s.replies:
			if !ok {
				return o, s.explain(errors.New("the kernel closed its shell channel"))
			}
			if m.Parent.ID == request.Header.ID {
				replied = true
				if err := o.read(m); err != nil {
					return o, err
				}
				over, stop, again, giveUp = nil, nil, nil, time.After(trailingTime)
			}
		case <-over:
			o.timedOut = true
			err = interrupt()
		case <-stop:
			o.stopped = true
			err = interrupt()
		case <-again:
			err = interrupt()
		case <-giveUp:
			return o, errors.New("the cell did not end after an interrupt; the kernel was killed")
		case <-s.process.exited:
			return o, s.process.exitError()
		}
		if err != nil {
			return o, s.explain(err)
		}
	}
	return o, nil
}

func isIdle(m *wire.Message) bool {
	var content struct {
		State string `json:"execution_state"`
	}
	return m.Header.Type == "status" && m.Decode(&content) == nil && content.State == "idle"
}

func (o *outcome) read(reply *wire.Message) error {
	var content struct {
		Status string `json:"status"`
		Name   string `json:"ename"`
		Value  string `json:"evalue"`
		Count  int    `json:"execution_count"`
	}
	if err := reply.Decode(&content); err != nil {
		return err
	}
	o.status, o.name, o.value, o.count = content.Status, content.Name, content.Value, content.Count
	return nil
}

// close shuts the kernel down, kills it if it does not react, and removes its files.
func (s *session) close() {
	if s.control != nil {
		if _, err := s.send(s.control, "shutdown_request", map[string]bool{"restart": false}); err == nil {
			s.process.exitsWithin(shutdownTime)
		}
	}
	s.process.remove()
	for _, peer := range []*wire.Peer{s.shell, s.control, s.iopub} {
		if peer != nil {
			peer.Close()
		}
	}
}
