package launcher

import (
	"bytes"
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// backlog is the maximum number of bytes queued for a client that does not read. Beyond it the connection is closed, so
// that a sleeping front end does not use up memory. Single messages are never dropped, because a front end that misses
// an idle state waits forever.
const backlog = 256 << 20

// A client is one front-end connection. Messages to it are queued, so that senders do not block.
type client struct {
	peer    *wire.Peer
	channel wire.Channel

	mu      sync.Mutex
	changed *sync.Cond
	queue   [][]byte
	waiting int // bytes not yet sent
	closed  bool

	topics [][]byte // subscriptions on iopub
}

func newClient(peer *wire.Peer, channel wire.Channel) *client {
	c := &client{peer: peer, channel: channel}
	c.changed = sync.NewCond(&c.mu)
	go c.write()
	return c
}

// write sends the queue until the client is closed.
func (c *client) write() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for len(c.queue) == 0 && !c.closed {
			c.changed.Wait()
		}
		if c.closed {
			return
		}
		batch := c.queue
		c.queue = nil
		for _, b := range batch {
			c.mu.Unlock()
			err := c.peer.SendRaw(b)
			c.mu.Lock()
			c.waiting -= len(b)
			if err != nil {
				c.closed = true // the reader gets the error too and removes the client
				return
			}
		}
	}
}

// send queues a message. It closes the connection if the queue exceeds backlog.
func (c *client) send(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	if c.waiting+len(b) > backlog {
		c.closed = true
		c.peer.Close()
	}
	c.queue = append(c.queue, b)
	c.waiting += len(b)
	c.changed.Signal()
}

// close ends the writing side.
func (c *client) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.changed.Signal()
}

// drained reports whether all messages have been sent, or will not be because the client is closed.
func (c *client) drained() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed || c.waiting == 0
}

// subscribe handles an iopub client's request. begins reports whether it is a subscription, to topic, rather than its
// end.
func (c *client) subscribe(request []byte) (topic []byte, begins bool) {
	if len(request) == 0 {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	topic = request[1:]
	switch request[0] {
	case 1:
		c.topics = append(c.topics, topic)
		return topic, true
	case 0:
		if i := slices.IndexFunc(c.topics, func(t []byte) bool { return bytes.Equal(t, topic) }); i >= 0 {
			c.topics = slices.Delete(c.topics, i, i+1)
		}
	}
	return nil, false
}

func (c *client) subscribed(topic []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.topics, func(t []byte) bool { return bytes.HasPrefix(topic, t) })
}
