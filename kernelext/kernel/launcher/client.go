package launcher

import (
	"bytes"
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// backlog is how many bytes may wait for a client that does not read. Beyond, its connection ends: a front end that
// sleeps for ever must not hold the memory of the others. Nothing is dropped out of the middle, since a front end that
// misses an idle state waits for ever.
const backlog = 256 << 20

// A client is one connection of a front end. What it is sent waits in a queue, so that nobody waits for it.
type client struct {
	peer    *wire.Peer
	channel wire.Channel

	mu      sync.Mutex
	changed *sync.Cond
	queue   [][]byte
	waiting int // bytes that are not sent yet
	left    bool

	topics [][]byte // on iopub: what it subscribed to
}

func newClient(peer *wire.Peer, channel wire.Channel) *client {
	c := &client{peer: peer, channel: channel}
	c.changed = sync.NewCond(&c.mu)
	go c.write()
	return c
}

// write sends what waits until the client leaves.
func (c *client) write() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for len(c.queue) == 0 && !c.left {
			c.changed.Wait()
		}
		if c.left {
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
				c.left = true // the reading side notices too, and tidies up
				return
			}
		}
	}
}

// send queues the bytes of one message.
func (c *client) send(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left {
		return
	}
	if c.waiting+len(b) > backlog {
		c.left = true
		c.peer.Close()
	}
	c.queue = append(c.queue, b)
	c.waiting += len(b)
	c.changed.Signal()
}

// leave ends the writing side.
func (c *client) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = true
	c.changed.Signal()
}

// sent says that nothing waits.
func (c *client) sent() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left || c.waiting == 0
}

// subscribe notes what an iopub client asks for, or no longer wants.
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

func (c *client) wants(topic []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.topics, func(t []byte) bool { return bytes.HasPrefix(topic, t) })
}
