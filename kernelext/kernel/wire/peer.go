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

// A Peer is one end of a connection to a kernel's channel. [Dial] returns a client's end and [Accept] the kernel's.
// Send and Receive may be called from different goroutines.
type Peer struct {
	Identity string // identity of the other end, often empty

	conn    net.Conn
	reader  *reader
	key     string
	writing sync.Mutex
}

// handshakeLimit is the time limit for the handshake.
const handshakeLimit = 10 * time.Second

// subscribe is the message that subscribes to the empty topic, which means all topics.
var subscribe = []byte{1}

// Dial connects to a channel as a client. It retries until the kernel listens or ctx ends. On iopub it subscribes to
// all topics. identity, which may be empty, identifies the client to the kernel: stdin requests go to the client with
// the same identity as the shell client that executed the cell.
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

// Accept turns an accepted connection into the kernel's end of a channel. On iopub, that end sends to the client
// whatever its subscriptions are.
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
	peer := &Peer{conn: conn, reader: newReader(conn), key: key}
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

// Close ends the connection and makes a waiting Receive fail.
func (p *Peer) Close() error { return p.conn.Close() }

// SetDeadline sets the deadline of Send and Receive, like [net.Conn.SetDeadline].
func (p *Peer) SetDeadline(t time.Time) error { return p.conn.SetDeadline(t) }

// Send signs and sends a message.
func (p *Peer) Send(m *Message) error { return p.SendRaw(Encode(m.Parts(p.key)...)) }

// SendRaw sends the bytes of a packet unchanged.
func (p *Peer) SendRaw(b []byte) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	_, err := p.conn.Write(b)
	return err
}

// Receive waits for the next message. It drops packets that are not messages or not signed with the key.
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

// ReceivePacket waits for the next message and returns its packet. It answers PING commands and ignores other commands.
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

// Read returns raw bytes after the last packet, for a caller that has given up parsing.
func (p *Peer) Read(b []byte) (int, error) { return p.reader.Read(b) }

// Ask sends a request and waits for the reply to it. It drops other messages.
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
