package launcher

import (
	"context"
	"io"
	"log"
	"net"
	"os"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

const testLimit = 20 * time.Second

// A bench is a proxy between a Jupyter client and gonb, both played by the test.
type bench struct {
	t     *testing.T
	proxy *proxy
	front wire.Connection // addresses to which clients connect
	gonb  map[wire.Channel]*wire.Peer

	shell, iopub *wire.Peer // the first client's channels
}

// newBench returns a bench with all connections. The test receives and sends gonb's messages.
func newBench(t *testing.T) *bench {
	t.Helper()
	b := newFront(t)
	b.attach()
	return b
}

// newFront returns a bench to which gonb has not connected yet.
func newFront(t *testing.T) *bench {
	t.Helper()
	front, err := wire.NewConnection("secret")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	b := &bench{t: t, proxy: newProxy("secret", log.New(io.Discard, "", 0)), front: front,
		gonb: map[wire.Channel]*wire.Peer{}}
	if err := b.proxy.listen(ctx, front); err != nil {
		t.Fatal(err)
	}
	b.shell, b.iopub = b.dial(wire.Shell, "me"), b.dial(wire.IOPub, "me")
	b.published("iopub_welcome")
	return b
}

func (b *bench) dial(channel wire.Channel, identity string) *wire.Peer {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testLimit)
	defer cancel()
	peer, err := wire.Dial(ctx, b.front, channel, identity)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { peer.Close() })
	peer.SetDeadline(time.Now().Add(testLimit))
	return peer
}

// attach starts the test's gonb and gives it to the proxy.
func (b *bench) attach() {
	b.t.Helper()
	b.proxy.attach(b.dialled())
}

// dialled starts the test's gonb and returns a connection to it.
func (b *bench) dialled() *backend {
	b.t.Helper()
	folder, err := os.MkdirTemp("", "bench") // t.TempDir's path is too long for a socket
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { os.RemoveAll(folder) })
	inner := wire.PrivateConnection(folder, "secret")
	type accepted struct {
		channel wire.Channel
		peer    *wire.Peer
	}
	peers := make(chan accepted)
	channels := []wire.Channel{wire.Shell, wire.IOPub, wire.Stdin, wire.Control}
	for _, channel := range channels {
		listener, err := net.Listen(inner.Network(), inner.Address(channel))
		if err != nil {
			b.t.Fatal(err)
		}
		go func() {
			defer listener.Close()
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			peer, _ := wire.Accept(context.Background(), conn, "secret", channel)
			peers <- accepted{channel, peer}
		}()
	}
	ctx, cancel := context.WithTimeout(context.Background(), testLimit)
	defer cancel()
	dialled := make(chan *backend)
	go func() {
		backend, err := dialBackend(ctx, inner)
		if err != nil {
			b.t.Error(err)
		}
		dialled <- backend
	}()
	for range channels {
		a := <-peers
		a.peer.SetDeadline(time.Now().Add(testLimit))
		b.gonb[a.channel] = a.peer
	}
	backend := <-dialled
	b.t.Cleanup(backend.close)
	if _, err := b.gonb[wire.IOPub].ReceivePacket(); err != nil { // receive the subscription
		b.t.Fatal(err)
	}
	return backend
}

// ask sends a request on one of the client's channels.
func (b *bench) ask(peer *wire.Peer, messageType string, content any) *wire.Message {
	b.t.Helper()
	m, err := wire.New(messageType, "client", nil, content)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := peer.Send(m); err != nil {
		b.t.Fatal(err)
	}
	return m
}

// execute requests the execution of a cell as Jupyter does.
func (b *bench) execute(code string) *wire.Message {
	b.t.Helper()
	return b.ask(b.shell, "execute_request",
		map[string]any{"code": code, "silent": false, "store_history": true, "allow_stdin": true, "stop_on_error": true,
			"user_expressions": map[string]any{}})
}

// receive receives a message, which must have the given type.
func (b *bench) receive(peer *wire.Peer, messageType string) *wire.Message {
	b.t.Helper()
	m, err := peer.Receive()
	if err != nil {
		b.t.Fatalf("waiting for %s: %v", messageType, err)
	}
	if m.Header.Type != messageType {
		b.t.Fatalf("got %s %s, want %s", m.Header.Type, m.Content, messageType)
	}
	return m
}

func (b *bench) replied(messageType string) *wire.Message {
	b.t.Helper()
	return b.receive(b.shell, messageType)
}

func (b *bench) published(messageType string) *wire.Message {
	b.t.Helper()
	return b.receive(b.iopub, messageType)
}

// states receives the states busy and idle, without any other message before them or between them.
func (b *bench) states() {
	b.t.Helper()
	for _, want := range []string{"busy", "idle"} {
		if got := executionState(b.published("status")); got != want {
			b.t.Fatalf("state %s, want %s", got, want)
		}
	}
}

// gets receives a request on gonb's side, which must have the given type.
func (b *bench) gets(messageType string) *wire.Message {
	b.t.Helper()
	return b.receive(b.gonb[wire.Shell], messageType)
}

// says sends a message about a request as gonb.
func (b *bench) says(channel wire.Channel, messageType string, request *wire.Message, content any) *wire.Message {
	b.t.Helper()
	m, err := wire.New(messageType, "gonb", request, content)
	if err != nil {
		b.t.Fatal(err)
	}
	if channel == wire.IOPub {
		m.Identities = [][]byte{[]byte("unlearnlab")} // gonb sends no topics
	}
	if err := b.gonb[channel].Send(m); err != nil {
		b.t.Fatal(err)
	}
	return m
}

// idle ends a request as gonb does, with the idle state.
func (b *bench) idle(request *wire.Message) { b.says(wire.IOPub, "status", request, state("idle")) }

// runs sends all messages that gonb sends when it runs a cell.
func (b *bench) runs(request *wire.Message, reply any) {
	b.t.Helper()
	var content struct{ Code string }
	if err := request.Decode(&content); err != nil {
		b.t.Fatal(err)
	}
	b.says(wire.IOPub, "status", request, state("busy"))
	b.says(wire.IOPub, "execute_input", request, map[string]any{"code": content.Code, "execution_count": 7})
	b.says(wire.Shell, "execute_reply", request, reply)
	b.idle(request)
}

// okReply is the execute_reply content for a successful cell.
var okReply = map[string]any{"status": "ok", "execution_count": 7}

// field returns one field of a message's content.
func field(t *testing.T, m *wire.Message, name string) any {
	t.Helper()
	var content map[string]any
	if err := m.Decode(&content); err != nil {
		t.Fatal(err)
	}
	return content[name]
}
