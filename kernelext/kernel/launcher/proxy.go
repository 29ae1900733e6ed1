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

// A proxy is the kernel as Jupyter sees it.
type proxy struct {
	key     string
	session string
	log     *log.Logger
	allowed func(net.Conn) bool // who may connect
	manual  *manual
	quit    chan struct{} // closed when a client asks for the end

	// events serialises what the proxy does about messages: one at a time, whichever connection they came from.
	events sync.Mutex

	rawError bool   // errors stay in gonb's words
	goRoot   string // Go's own folder, "" while it is unknown
	offers   Offers
	notebook *notebook
	info     map[string]any
	history  history
	backend  *backend // nil until gonb is ready, and for good if it cannot be
	trouble  *failure // why there will be no backend

	clients map[*client]bool
	pending map[string]*client // who asked, by message id
	queue   []*execution       // not yet given to gonb
	running *execution

	transparent bool // bytes are copied; see copyBytes

	program  program           // what the cells so far have declared
	imported map[string]string // the import paths that cells need not write, by name
	language *language         // nil without a language server
}

// pendingLimit bounds the questions that gonb may leave without an answer.
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
		listener, err := listenPatiently(ctx, c, channel)
		if err != nil {
			return fmt.Errorf("listen on %s: %w; another kernel may have the port, start this one again", channel, err)
		}
		context.AfterFunc(ctx, func() { listener.Close() })
		go p.accept(ctx, listener, channel)
	}
	return nil
}

// listenPatiently gives the kernel that was restarted a moment to leave its ports.
func listenPatiently(ctx context.Context, c wire.Connection, channel wire.Channel) (net.Listener, error) {
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

// serve talks to one client until it leaves.
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
	c.leave()
}

// drain waits until the clients have what they were sent, or a moment.
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
		if !c.sent() {
			return false
		}
	}
	return true
}

// learn takes what the machine has into the kernel's answers.
func (p *proxy) learn(t Toolchain, command string) {
	p.events.Lock()
	defer p.events.Unlock()
	p.goRoot = t.GoRoot
	p.notebook.facts = t.facts(command)
	if t.DroppedFlag != "" {
		p.notebook.warning = "GOFLAGS has " + t.DroppedFlag +
			", which does not work in notebooks; this kernel leaves it out\n"
	}
}

// speak gives the proxy what knows Go.
func (p *proxy) speak(l *language) {
	p.events.Lock()
	defer p.events.Unlock()
	p.language, p.imported = l, preloaded(l.root)
}

// attach gives the proxy its gonb and lets the cells that waited run.
func (p *proxy) attach(b *backend) {
	p.events.Lock()
	defer p.events.Unlock()
	p.backend = b
	for channel, peer := range b.peers {
		go p.follow(channel, peer)
	}
	p.next()
}

// explain ends the wait for gonb: every cell is answered with the reason.
func (p *proxy) explain(trouble *failure) {
	p.events.Lock()
	defer p.events.Unlock()
	p.trouble = trouble
	p.next()
}

// follow reads what gonb sends on a channel.
func (p *proxy) follow(channel wire.Channel, peer *wire.Peer) {
	for {
		packet, err := peer.ReceivePacket()
		if errors.Is(err, wire.ErrFraming) {
			p.log.Printf("gonb's %s: %v; from here on bytes are copied", channel, err)
			p.copyBytes(channel, packet.Raw, peer)
			return
		}
		if err != nil {
			return // gonb has ended, which its guard tells
		}
		p.deliver(channel, packet)
	}
}

// copyBytes is for a gonb that the proxy can no longer read: it passes everything in both directions and does nothing
// itself, so that the notebook goes on.
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

// becomeTransparent hands over what waits: nothing tells it when a cell ends.
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

// toAll sends bytes to every client of a channel.
func (p *proxy) toAll(channel wire.Channel, b []byte) {
	for c := range p.clients {
		if c.channel == channel {
			c.send(b)
		}
	}
}

// A backend is gonb as a client sees it.
type backend struct {
	folder     string // of the kernel, for what cells leave behind
	connection wire.Connection
	peers      map[wire.Channel]*wire.Peer
}

// dialBackend connects to every channel but the heartbeat. One identity for all, because gonb answers control and stdin
// to the identity that executes.
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

// asking is how long gonb has to publish something about a question before the next is put.
const asking = 250 * time.Millisecond

// listens waits until what gonb publishes arrives: a subscription takes effect some time after it was sent, and what
// was published before is lost. It asks for gonb's name until it hears of that, and takes all that it hears.
func (b *backend) listens(ctx context.Context) error {
	var last atomic.Value // the id of the last question
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
		case <-time.After(asking):
		}
	}
}

func (b *backend) close() {
	for _, peer := range b.peers {
		peer.Close()
	}
}

// forward passes bytes to a channel of gonb.
func (p *proxy) forward(channel wire.Channel, raw []byte) {
	if p.backend == nil {
		return
	}
	if err := p.backend.peers[channel].SendRaw(raw); err != nil {
		p.log.Printf("gonb's %s: %v", channel, err)
	}
}
