package launcher

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/unlearnlab/unlearnlab/kernelext/wire"
)

// backlog is how many messages may wait for a client that does not read. More are dropped, as publishers of ZeroMQ do: a front end that sleeps must not stop
// the kernel of the others.
const backlog = 10_000

// A client is one connection of a front end. What it is sent waits in a queue, so that nobody waits for it.
type client struct {
	peer    *wire.Peer
	channel wire.Channel

	outgoing chan []byte
	gone     chan struct{} // closed when the connection is
	unsent   atomic.Int64

	mu     sync.Mutex
	topics [][]byte // on iopub: what it subscribed to
}

func newClient(peer *wire.Peer, channel wire.Channel) *client {
	c := &client{peer: peer, channel: channel, outgoing: make(chan []byte, backlog), gone: make(chan struct{})}
	go c.write()
	return c
}

func (c *client) write() {
	for {
		select {
		case b := <-c.outgoing:
			c.peer.SendRaw(b) // a failure also ends the reading side, which tidies up
			c.unsent.Add(-1)
		case <-c.gone:
			return
		}
	}
}

// send queues the bytes of one message.
func (c *client) send(b []byte) {
	c.unsent.Add(1)
	select {
	case c.outgoing <- b:
	default:
		c.unsent.Add(-1)
	}
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
		for i, t := range c.topics {
			if bytes.Equal(t, topic) {
				c.topics = append(c.topics[:i], c.topics[i+1:]...)
				break
			}
		}
	}
	return nil, false
}

func (c *client) wants(topic []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.topics {
		if bytes.HasPrefix(topic, t) {
			return true
		}
	}
	return false
}
