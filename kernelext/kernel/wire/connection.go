package wire

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

// A Channel is one of a kernel's five sockets.
type Channel int

// Channels of a kernel.
const (
	Shell Channel = iota
	IOPub
	Stdin
	Control
	Heartbeat
)

// Channels returns all channels.
func Channels() []Channel { return []Channel{Shell, IOPub, Stdin, Control, Heartbeat} }

// String names the channel as Jupyter does.
func (c Channel) String() string {
	return [...]string{"shell", "iopub", "stdin", "control", "heartbeat"}[c]
}

// A Connection is the content of Jupyter's connection file: the addresses on which a kernel listens, and the key that
// signs its messages.
type Connection struct {
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HeartbeatPort   int    `json:"hb_port"`
	IP              string `json:"ip"`
	Key             string `json:"key"`
	Transport       string `json:"transport"`
	SignatureScheme string `json:"signature_scheme"`
	KernelName      string `json:"kernel_name,omitempty"`
}

func (c *Connection) ports() []*int {
	return []*int{&c.ShellPort, &c.IOPubPort, &c.StdinPort, &c.ControlPort, &c.HeartbeatPort}
}

// Network returns the network name for [net.Listen] and [net.Dial].
func (c Connection) Network() string {
	if c.Transport == "ipc" {
		return "unix"
	}
	return "tcp"
}

// Address returns a channel's address: host and port, or the path of a socket if the transport is ipc.
func (c Connection) Address(channel Channel) string {
	port := strconv.Itoa(*c.ports()[channel])
	if c.Transport == "ipc" {
		return c.IP + "-" + port
	}
	return net.JoinHostPort(c.IP, port)
}

const maxConnectionFile = 1 << 16

// ReadConnection reads a connection file and checks that a kernel can serve it.
func ReadConnection(path string) (Connection, error) {
	var c Connection
	f, err := os.Open(path)
	if err != nil {
		return c, fmt.Errorf("connection file: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConnectionFile+1))
	if err != nil {
		return c, fmt.Errorf("connection file: %w", err)
	}
	if len(data) > maxConnectionFile {
		return c, fmt.Errorf("connection file %s: more than %d bytes", path, maxConnectionFile)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("connection file %s: %w", path, err)
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("connection file %s: %w", path, err)
	}
	return c, nil
}

// check rejects connections that cannot be served, and replaces the host names localhost and * by IP addresses.
func (c *Connection) check() error {
	if c.Transport != "tcp" && c.Transport != "ipc" && c.Transport != "" {
		return fmt.Errorf("transport %q is not supported; use tcp or ipc", c.Transport)
	}
	if c.Key != "" && c.SignatureScheme != "" && c.SignatureScheme != "hmac-sha256" {
		return fmt.Errorf("signature scheme %q is not supported; use hmac-sha256", c.SignatureScheme)
	}
	switch c.IP {
	case "localhost":
		c.IP = "127.0.0.1"
	case "*":
		c.IP = "0.0.0.0"
	}
	if c.Transport != "ipc" && net.ParseIP(c.IP) == nil {
		return fmt.Errorf("ip %q is not an address", c.IP)
	}
	for i, port := range c.ports() {
		if *port < 1 || *port > 65535 {
			return fmt.Errorf("%s port %d is out of range", Channel(i), *port)
		}
	}
	return nil
}

// Write writes the connection file so that only its owner can read it, because anyone with the key can run code.
func (c Connection) Write(path string) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("connection file: %w", err)
	}
	if _, err := f.Write(append(data, '\n')); err != nil {
		f.Close()
		return fmt.Errorf("connection file: %w", err)
	}
	return f.Close()
}

// PrivateConnection returns a connection on sockets in a folder. If only the folder's owner can enter it, nobody else
// can connect, which ports do not guarantee.
func PrivateConnection(folder, key string) Connection {
	c := Connection{IP: filepath.Join(folder, "z"), Key: key, Transport: "ipc", SignatureScheme: "hmac-sha256"}
	for i, port := range c.ports() {
		*port = i + 1
	}
	return c
}

// NewConnection returns a connection on five free ports of the loopback device. The kernel should listen on them soon,
// before another program does.
func NewConnection(key string) (Connection, error) {
	c := Connection{IP: "127.0.0.1", Key: key, Transport: "tcp", SignatureScheme: "hmac-sha256"}
	for _, port := range c.ports() {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return c, fmt.Errorf("free port: %w", err)
		}
		defer l.Close() // closed on return, so that no port is chosen twice
		*port = l.Addr().(*net.TCPAddr).Port
	}
	return c, nil
}
