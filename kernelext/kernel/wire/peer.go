package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// A Peer is one end of one connection on a kernel's channel: a client's, made by [Dial], or the kernel's, made by
// [Accept]. Send and Receive may be called from different goroutines.
type Peer struct {
	Identity string // what the other end calls itself; often empty

	conn    net.Conn
	reader  *Reader
	key     string
	writing sync.Mutex
}

// handshakeLimit ends a handshake with a peer that is there but does not answer.
const handshakeLimit = 10 * time.Second

// subscribe is the message that asks a publisher for a topic, here the empty one: everything.
var subscribe = []byte{1}

// Dial connects to a channel as a client; it tries again until the kernel listens or the context ends. On iopub it
// subscribes to everything. The identity, which may be empty, is how the kernel tells clients apart: stdin requests go
// to the client with the identity of the shell client that executed.
func Dial(ctx context.Context, c Connection, channel Channel, identity string) (*Peer, error) {
	conn, err := dialUntil(ctx, c.Network(), c.Address(channel))
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", channel, err)
	}
	socketType := [...]string{"DEALER", "SUB", "DEALER", "DEALER", "REQ"}[channel]
	peer, err := join(ctx, conn, c.Key, socketType, identity)
	if err == nil && channel == IOPub {
		err = peer.SendRaw(Encode(subscribe))
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("connect to %s: %w", channel, err)
	}
	return peer, nil
}

// Accept makes an accepted connection the kernel's end of a channel. On iopub it sends to every client, whatever that
// subscribed to.
func Accept(ctx context.Context, conn net.Conn, key string, channel Channel) (*Peer, error) {
	socketType := [...]string{"ROUTER", "PUB", "ROUTER", "ROUTER", "REP"}[channel]
	peer, err := join(ctx, conn, key, socketType, "")
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("accept on %s: %w", channel, err)
	}
	return peer, nil
}

func join(ctx context.Context, conn net.Conn, key, socketType, identity string) (*Peer, error) {
	peer := &Peer{conn: conn, reader: NewReader(conn), key: key}
	limit := time.Now().Add(handshakeLimit)
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(limit) {
		limit = deadline
	}
	conn.SetDeadline(limit)
	var err error
	if peer.Identity, err = shake(conn, peer.reader, socketType, identity); err != nil {
		return nil, err
	}
	return peer, conn.SetDeadline(time.Time{})
}

func dialUntil(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	for {
		conn, err := dialer.DialContext(ctx, network, address)
		if err == nil {
			return conn, nil
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Close ends the connection; a Receive that waits fails.
func (p *Peer) Close() error { return p.conn.Close() }

// SetDeadline bounds Send and Receive as that of [net.Conn] does.
func (p *Peer) SetDeadline(t time.Time) error { return p.conn.SetDeadline(t) }

// Send signs a message and sends it.
func (p *Peer) Send(m *Message) error { return p.SendRaw(Encode(m.Parts(p.key)...)) }

// SendRaw sends the bytes of a packet as they are.
func (p *Peer) SendRaw(b []byte) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	_, err := p.conn.Write(b)
	return err
}

// Receive waits for the next message. What is not a message, and what is not signed with the key, is dropped.
func (p *Peer) Receive() (*Message, error) {
	for {
		packet, err := p.ReceivePacket()
		if err != nil {
			return nil, err
		}
		if m, err := Parse(packet.Parts, p.key); err == nil {
			return m, nil
		}
	}
}

// ReceivePacket waits for the next message and gives it unread. Commands are answered on the way.
func (p *Peer) ReceivePacket() (Packet, error) {
	for {
		packet, err := p.reader.Next()
		if err != nil || !packet.Command {
			return packet, err
		}
		if name, data, ok := parseCommand(packet.Parts[0]); ok && name == "PING" {
			if err := p.SendRaw(pong(data)); err != nil {
				return Packet{}, err
			}
		}
	}
}

// Read gives the bytes that follow the last packet as they are, for who gives up reading packets.
func (p *Peer) Read(b []byte) (int, error) { return p.reader.Read(b) }

// Ask sends a request and waits for the message that answers it; others are dropped.
func (p *Peer) Ask(request *Message) (*Message, error) {
	if err := p.Send(request); err != nil {
		return nil, err
	}
	for {
		reply, err := p.Receive()
		if err != nil {
			return nil, err
		}
		if reply.Parent.ID == request.Header.ID {
			return reply, nil
		}
	}
}

// Beat sends one heartbeat and waits for its echo.
func (p *Peer) Beat() error {
	payload := []byte("beat")
	if err := p.SendRaw(Encode(nil, payload)); err != nil {
		return err
	}
	echo, err := p.ReceivePacket()
	if err != nil {
		return err
	}
	if !bytes.Equal(echo.Raw, Encode(nil, payload)) {
		return fmt.Errorf("heartbeat: echo %q", echo.Parts)
	}
	return nil
}

// Echo answers heartbeats until the connection ends.
func (p *Peer) Echo() error {
	for {
		packet, err := p.ReceivePacket()
		if err != nil {
			return err
		}
		if err := p.SendRaw(packet.Raw); err != nil {
			return err
		}
	}
}
