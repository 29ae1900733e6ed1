package launcher

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// A slowClient connects, but finishes its handshake only when the test calls finish.
type slowClient struct {
	t    *testing.T
	conn net.Conn
	peer *wire.Peer
}

func dialSlowly(t *testing.T, address string) *slowClient {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &slowClient{t: t, conn: conn}
}

// finish completes the handshake and subscribes. It uses a pipe, because a Peer starts with its own handshake.
func (s *slowClient) finish() {
	s.t.Helper()
	ours, theirs := net.Pipe()
	go io.Copy(theirs, s.conn)
	go io.Copy(s.conn, theirs)
	peer, err := wire.Accept(context.Background(), ours, "secret", wire.IOPub)
	if err != nil {
		s.t.Fatal(err)
	}
	peer.SetDeadline(time.Now().Add(testLimit))
	if err := peer.SendRaw(wire.Encode([]byte{1})); err != nil {
		s.t.Fatal(err)
	}
	s.peer = peer
	if m, err := peer.Receive(); err != nil || m.Header.Type != "iopub_welcome" {
		s.t.Fatalf("first message %+v, %v: want the welcome", m, err)
	}
}
