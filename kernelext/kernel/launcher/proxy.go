package launcher

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// A proxy is the kernel that Jupyter sees.
type proxy struct {
	key     string
	session string
	log     *log.Logger
	allowed func(net.Conn) bool // reports whether a connection is accepted
	manual  *manual
	quit    chan struct{} // closed when a client requests shutdown

	// events serializes the handling of messages from all connections.
	events sync.Mutex

	rawError    bool   // whether errors keep gonb's text
	goRoot      string // $GOROOT; "" if unknown
	root        string // folder of this module
	offers      Offers
	notebook    *notebook
	info        map[string]any
	history     history
	backend     *backend // connection to gonb; nil until gonb is ready
	unavailable *failure // reason why gonb will never be ready, or nil

	clients map[*client]bool
	pending map[string]*client // clients that wait for gonb's reply, by message ID
	queue   []*execution       // executions not yet passed to gonb
	running *execution

	transparent bool // whether the proxy only copies bytes; see copyBytes

	program  program           // declarations in the cells so far
	imported map[string]string // import paths that cells need not declare, by name
	language *language         // nil if there is no language server
	checker  *checker          // determines types; nil until gonb is ready
	warming  chan struct{}     // closed when what cells import is built; nil if the kernel need not build it
}

// pendingLimit is how many requests may wait for gonb's answer before all of them are forgotten.
const pendingLimit = 4096

func newProxy(key string, logger *log.Logger) *proxy {
	return &proxy{
		key: key, session: wire.NewID(), log: logger,
		allowed:  func(net.Conn) bool { return true },
		manual:   &manual{},
		quit:     make(chan struct{}),
		notebook: newNotebook(),
		info:     kernelInfo(),
		clients:  map[*client]bool{},
		pending:  map[string]*client{},
	}
}

// listen serves the five channels of a connection until the context ends.
func (p *proxy) listen(ctx context.Context, c wire.Connection) error {
	for _, channel := range wire.Channels() {
		listener, err := listenRetry(ctx, c, channel)
		if err != nil {
			return fmt.Errorf("listen on %s: %w; another kernel may use the port; restart this one", channel, err)
		}
		context.AfterFunc(ctx, func() { listener.Close() })
		go p.accept(ctx, listener, channel)
	}
	return nil
}

// listenRetry retries for a second, because a kernel that was just stopped may still hold the port.
func listenRetry(ctx context.Context, c wire.Connection, channel wire.Channel) (net.Listener, error) {
	var config net.ListenConfig
	for attempt := 0; ; attempt++ {
		listener, err := config.Listen(ctx, c.Network(), c.Address(channel))
		if err == nil || attempt == 20 {
			return listener, err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (p *proxy) accept(ctx context.Context, listener net.Listener, channel wire.Channel) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		if !p.allowed(conn) {
			p.log.Printf("%s: refused a connection of another user", channel)
			conn.Close()
			continue
		}
		go p.serve(ctx, conn, channel)
	}
}

// serve handles one client until it disconnects.
func (p *proxy) serve(ctx context.Context, conn net.Conn, channel wire.Channel) {
	peer, err := wire.Accept(ctx, conn, p.key, channel)
	if err != nil {
		p.log.Print(err)
		return
	}
	defer peer.Close()
	defer context.AfterFunc(ctx, func() { peer.Close() })()
	if channel == wire.Heartbeat {
		peer.Echo()
		return
	}
	c := newClient(peer, channel)
	p.join(c)
	defer p.leave(c)
	for {
		packet, err := peer.ReceivePacket()
		if err != nil {
			if errors.Is(err, wire.ErrFraming) {
				p.log.Printf("%s: %v", channel, err)
			}
			return
		}
		p.receive(c, packet)
	}
}

func (p *proxy) join(c *client) {
	p.events.Lock()
	defer p.events.Unlock()
	p.clients[c] = true
}

func (p *proxy) leave(c *client) {
	p.events.Lock()
	defer p.events.Unlock()
	delete(p.clients, c)
	c.close()
}

// drain waits until the clients have received all messages, at most half a second.
func (p *proxy) drain() {
	for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if p.sent() {
			return
		}
	}
}

func (p *proxy) sent() bool {
	p.events.Lock()
	defer p.events.Unlock()
	for c := range p.clients {
		if !c.drained() {
			return false
		}
	}
	return true
}

// setToolchain records the toolchain, for the kernel's answers.
func (p *proxy) setToolchain(t Toolchain, command string) {
	p.events.Lock()
	defer p.events.Unlock()
	p.goRoot, p.root, p.imported = t.GoRoot, t.Root, preloaded(t.Root)
	p.notebook.facts = t.facts(command)
	if t.DroppedFlag != "" {
		p.notebook.warning = "GOFLAGS has " + t.DroppedFlag +
			", which does not work in notebooks; this kernel drops it\n"
	}
}

func (p *proxy) setLanguage(l *language) {
	p.events.Lock()
	defer p.events.Unlock()
	p.language = l
}

// setChecker enables the proxy to determine the types of last expressions.
func (p *proxy) setChecker(c *checker) {
	p.events.Lock()
	defer p.events.Unlock()
	p.checker = c
}

// attach connects the proxy to gonb and starts the queued cells.
func (p *proxy) attach(b *backend) {
	p.events.Lock()
	defer p.events.Unlock()
	p.backend = b
	for channel, peer := range b.peers {
		go p.follow(channel, peer)
	}
	p.next()
}

// failCells ends the wait for gonb: from now on, every cell fails with reason.
func (p *proxy) failCells(reason *failure) {
	p.events.Lock()
	defer p.events.Unlock()
	p.unavailable = reason
	p.next()
}

// follow handles gonb's messages on a channel until gonb ends.
func (p *proxy) follow(channel wire.Channel, peer *wire.Peer) {
	for {
		packet, err := peer.ReceivePacket()
		if errors.Is(err, wire.ErrFraming) {
			p.log.Printf("gonb's %s: %v; from here on bytes are copied", channel, err)
			p.copyBytes(channel, packet.Raw, peer)
			return
		}
		if err != nil {
			return // gonb has ended, which its guard reports
		}
		p.deliver(channel, packet)
	}
}

// copyBytes handles a gonb whose messages the proxy can no longer parse. It only copies bytes in both directions, so
// that the notebook remains usable.
func (p *proxy) copyBytes(channel wire.Channel, consumed []byte, rest io.Reader) {
	pass := func(b []byte) {
		p.events.Lock()
		defer p.events.Unlock()
		p.toAll(channel, b)
	}
	p.becomeTransparent()
	pass(consumed)
	for {
		b := make([]byte, 64<<10)
		n, err := rest.Read(b)
		pass(b[:n])
		if err != nil {
			return
		}
	}
}

// becomeTransparent passes the queued cells to gonb, because the proxy can no longer detect the end of a cell.
func (p *proxy) becomeTransparent() {
	p.events.Lock()
	defer p.events.Unlock()
	if p.running != nil {
		p.settle(p.running)
	}
	p.transparent = true
	for _, e := range p.queue {
		p.forward(wire.Shell, e.raw)
	}
	p.queue, p.running = nil, nil
}

// toAll sends bytes to all clients of a channel.
func (p *proxy) toAll(channel wire.Channel, b []byte) {
	for c := range p.clients {
		if c.channel == channel {
			c.send(b)
		}
	}
}

// A backend is the proxy's connection to gonb.
type backend struct {
	folder     string // the kernel's folder, for files that cells leave
	connection wire.Connection
	peers      map[wire.Channel]*wire.Peer
}

// dialBackend connects to all channels but the heartbeat. All use one identity, because gonb sends control and stdin
// messages to the identity that executes.
func dialBackend(ctx context.Context, c wire.Connection) (*backend, error) {
	b := &backend{connection: c, peers: map[wire.Channel]*wire.Peer{}}
	for _, channel := range []wire.Channel{wire.Shell, wire.IOPub, wire.Stdin, wire.Control} {
		peer, err := wire.Dial(ctx, c, channel, "unlearnlab")
		if err != nil {
			b.close()
			return nil, err
		}
		b.peers[channel] = peer
	}
	return b, nil
}

// askInterval is how long awaitIOPub waits for a published message before it sends another request.
const askInterval = 250 * time.Millisecond

// awaitIOPub waits until gonb's published messages arrive. A subscription takes effect some time after it was sent, and
// messages published before that are lost. So awaitIOPub requests kernel information until it sees a published message,
// and then reads all messages up to the last request's idle state.
func (b *backend) awaitIOPub(ctx context.Context) error {
	var last atomic.Value // ID of the last request
	heard, ended := make(chan struct{}), make(chan error, 1)
	defer context.AfterFunc(ctx, func() { b.peers[wire.IOPub].Close() })()
	go func() {
		for first := true; ; first = false {
			m, err := b.peers[wire.IOPub].Receive()
			if err != nil {
				ended <- err
				return
			}
			if first {
				close(heard)
			}
			if m.Header.Type == "status" && executionState(m) == "idle" && m.Parent.ID == last.Load() {
				ended <- nil
				return
			}
		}
	}()
	for {
		request, err := wire.New("kernel_info_request", "listening", nil, struct{}{})
		if err != nil {
			return err
		}
		last.Store(request.Header.ID)
		if err := b.peers[wire.Shell].Send(request); err != nil {
			return err
		}
		select {
		case <-heard:
			return <-ended
		case err := <-ended:
			return err
		case <-time.After(askInterval):
		}
	}
}

func (b *backend) close() {
	for _, peer := range b.peers {
		peer.Close()
	}
}

// forward sends bytes to one of gonb's channels.
func (p *proxy) forward(channel wire.Channel, raw []byte) {
	if p.backend == nil {
		return
	}
	if err := p.backend.peers[channel].SendRaw(raw); err != nil {
		p.log.Printf("gonb's %s: %v", channel, err)
	}
}
