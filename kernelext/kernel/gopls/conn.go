package gopls

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"sync"
)

// A conn exchanges JSON-RPC 2.0 messages, framed as in the language server protocol.
type conn struct {
	stream io.ReadWriteCloser
	answer func(method string, params json.RawMessage) any // handles the server's requests and notifications

	mu      sync.Mutex // guards the fields below and writes to stream
	last    int64
	waiting map[int64]chan<- message
	ended   error
}

// A message is a request, a response or a notification.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// mostBytes is the maximum size of a message; a server that sends more is broken.
const mostBytes = 64 << 20

var errEnded = errors.New("the language server has ended")

func newConn(stream io.ReadWriteCloser, answer func(string, json.RawMessage) any) *conn {
	c := &conn{stream: stream, answer: answer, waiting: map[int64]chan<- message{}}
	go c.listen()
	return c
}

func (c *conn) listen() {
	reader := bufio.NewReader(c.stream)
	for {
		m, err := read(reader)
		if err != nil {
			c.end(err)
			return
		}
		switch {
		case m.Method != "" && m.ID != nil:
			result, err := json.Marshal(c.answer(m.Method, m.Params))
			if err == nil {
				c.send(message{ID: m.ID, Result: result})
			}
		case m.Method != "":
			c.answer(m.Method, m.Params)
		default:
			c.deliver(m)
		}
	}
}

func (c *conn) deliver(m message) {
	id, err := strconv.ParseInt(string(m.ID), 10, 64)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if waiting, found := c.waiting[id]; found {
		delete(c.waiting, id)
		waiting <- m
	}
}

// end closes the connection and fails all pending calls.
func (c *conn) end(err error) {
	c.stream.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended == nil {
		c.ended = fmt.Errorf("%w: %v", errEnded, err)
	}
	for id, waiting := range c.waiting {
		delete(c.waiting, id)
		close(waiting)
	}
}

// over reports whether the server has ended.
func (c *conn) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended != nil
}

func read(r *bufio.Reader) (m message, err error) {
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return m, err
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || length < 0 || length > mostBytes {
		return m, fmt.Errorf("a message of %q bytes", header.Get("Content-Length"))
	}
	content := make([]byte, length)
	if _, err := io.ReadFull(r, content); err != nil {
		return m, err
	}
	return m, json.Unmarshal(content, &m)
}

func (c *conn) send(m message) error {
	m.Version = "2.0"
	content, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended != nil {
		return c.ended
	}
	_, err = fmt.Fprintf(c.stream, "Content-Length: %d\r\n\r\n%s", len(content), content)
	return err
}

func (c *conn) notify(method string, params any) error {
	content, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return c.send(message{Method: method, Params: content})
}

// call sends a request and waits for the response, which it decodes into result unless result is nil.
func (c *conn) call(ctx context.Context, method string, params, result any) error {
	content, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answered := make(chan message, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.waiting[id] = answered
	c.mu.Unlock()
	if err := c.send(message{ID: strconv.AppendInt(nil, id, 10), Method: method, Params: content}); err != nil {
		return err
	}
	select {
	case m, ok := <-answered:
		switch {
		case !ok:
			return errEnded
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		case result == nil || len(m.Result) == 0:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
		c.notify("$/cancelRequest", map[string]any{"id": id})
		return ctx.Err()
	}
}
