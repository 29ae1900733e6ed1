// Package kerneltest provides a kernel for tests of programs that run notebooks. It starts at once and compiles
// nothing.
package kerneltest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// role is the argument that turns a test's program into a kernel.
const role = "fake-kernel"

// Argv returns the command line of a kernel whose cells consist of simple commands; see fake.line. The program is the
// test itself, whose TestMain must call [Main].
func Argv() []string { return []string{os.Args[0], role, "{connection_file}"} }

// Main serves a kernel and does not return if the program was started by [Argv]. Otherwise it does nothing.
func Main() {
	if len(os.Args) != 3 || os.Args[1] != role {
		return
	}
	fmt.Fprintln(os.Stderr, serve(os.Args[2]))
	os.Exit(1)
}

type fake struct {
	key       string
	mu        sync.Mutex
	iopub     []*wire.Peer
	interrupt chan struct{}
	count     int
}

// serve answers requests forever, unless it fails.
func serve(path string) error {
	c, err := wire.ReadConnection(path)
	if err != nil {
		return err
	}
	f := &fake{key: c.Key, interrupt: make(chan struct{}, 1)}
	for _, channel := range wire.Channels() {
		l, err := net.Listen("tcp", c.Address(channel))
		if err != nil {
			return err
		}
		go f.accept(l, channel)
	}
	select {}
}

func (f *fake) accept(l net.Listener, channel wire.Channel) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		peer, err := wire.Accept(context.Background(), conn, f.key, channel)
		if err != nil {
			continue
		}
		if channel == wire.IOPub {
			f.mu.Lock()
			f.iopub = append(f.iopub, peer)
			f.mu.Unlock()
			continue
		}
		go f.serve(peer)
	}
}

func (f *fake) serve(peer *wire.Peer) {
	for {
		m, err := peer.Receive()
		if err != nil {
			return
		}
		switch m.Header.Type {
		case "kernel_info_request":
			f.publish(m, "status", map[string]any{"execution_state": "idle"})
			f.reply(peer, m, "kernel_info_reply", map[string]any{"status": "ok"})
		case "execute_request":
			f.execute(peer, m)
		case "interrupt_request":
			f.interrupt <- struct{}{}
		case "shutdown_request":
			os.Exit(0)
		}
	}
}

func (f *fake) publish(parent *wire.Message, kind string, content any) {
	m, _ := wire.New(kind, "fake", parent, content)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, peer := range f.iopub {
		peer.Send(m)
	}
}

func (f *fake) reply(peer *wire.Peer, request *wire.Message, kind string, content any) {
	m, _ := wire.New(kind, "fake", request, content)
	m.Identities = request.Identities
	peer.Send(m)
}

func (f *fake) execute(peer *wire.Peer, m *wire.Message) {
	var content struct{ Code string }
	m.Decode(&content)
	f.count++
	status := map[string]any{"status": "ok", "execution_count": f.count}
	if strings.HasPrefix(content.Code, "reply first") { // replies may precede published messages
		f.reply(peer, m, "execute_reply", status)
	}
	f.publish(m, "status", map[string]any{"execution_state": "busy"})
	f.publish(m, "execute_input", map[string]any{"code": content.Code, "execution_count": f.count})
	for line := range strings.Lines(content.Code) {
		if problem := f.line(m, strings.TrimSpace(line)); problem != "" {
			f.publish(m, "error", map[string]any{"ename": "ERROR", "evalue": problem,
				"traceback": []string{"\x1b[31m" + problem + "\x1b[0m", "./main.go:3:1: undefined: x"}})
			status = map[string]any{"status": "error", "ename": "ERROR", "evalue": problem, "execution_count": f.count}
			break
		}
	}
	f.publish(m, "status", map[string]any{"execution_state": "idle"})
	if !strings.HasPrefix(content.Code, "reply first") {
		f.reply(peer, m, "execute_reply", status)
	}
}

// line executes one command and returns the error with which the cell fails, or "".
func (f *fake) line(m *wire.Message, line string) string {
	command, rest, _ := strings.Cut(line, " ")
	id, text, _ := strings.Cut(rest, " ")
	shown := map[string]any{"data": map[string]any{"text/plain": text}, "metadata": map[string]any{},
		"transient": map[string]any{"display_id": id}}
	switch command {
	case "print":
		f.publish(m, "stream", map[string]any{"name": "stdout", "text": rest + "\n"})
	case "warn":
		f.publish(m, "stream", map[string]any{"name": "stderr", "text": rest + "\n"})
	case "show":
		f.publish(m, "display_data", shown)
	case "update":
		f.publish(m, "update_display_data", shown)
	case "result":
		f.publish(m, "execute_result",
			map[string]any{"data": map[string]any{"text/plain": rest}, "metadata": map[string]any{},
				"execution_count": f.count})
	case "clear":
		f.publish(m, "clear_output", map[string]any{"wait": rest == "later"})
	case "stray":
		f.publish(nil, "stream", map[string]any{"name": "stdout", "text": "of nobody"})
	case "flood":
		for range 40 {
			f.publish(m, "display_data",
				map[string]any{"data": map[string]any{"text/plain": strings.Repeat("x", 1<<20)},
					"metadata": map[string]any{}})
		}
	case "fail":
		return rest
	case "compile": // ignores the first interrupt
		<-f.interrupt
		return f.line(m, "sleep")
	case "sleep":
		select {
		case <-f.interrupt:
			return "interrupted"
		case <-time.After(time.Minute):
		}
	case "orphan": // starts a process that would outlive the kernel
		exec.Command("sleep", "31.4159").Start()
	case "temporary":
		os.CreateTemp("", "left-*")
	case "die":
		fmt.Fprintln(os.Stderr, "out of\nmemory")
		os.Exit(3)
	}
	return ""
}
