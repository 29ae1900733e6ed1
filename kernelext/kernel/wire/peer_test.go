package wire

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// listen serves one connection on a channel with serve, and returns how to connect to it.
func listen(t *testing.T, key string, channel Channel, serve func(*Peer)) Connection {
	t.Helper()
	c, err := NewConnection(key)
	if err != nil {
		t.Fatal(err)
	}
	serveOne(t, c, channel, serve)
	return c
}

func serveOne(t *testing.T, c Connection, channel Channel, serve func(*Peer)) {
	t.Helper()
	l, err := net.Listen(c.Network(), c.Address(channel))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		peer, err := Accept(context.Background(), conn, c.Key, channel)
		if err != nil {
			t.Error(err)
			return
		}
		defer peer.Close()
		peer.SetDeadline(time.Now().Add(5 * time.Second))
		serve(peer)
	}()
}

func dial(t *testing.T, c Connection, channel Channel) *Peer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	peer, err := Dial(ctx, c, channel, "tester")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { peer.Close() })
	peer.SetDeadline(time.Now().Add(5 * time.Second))
	return peer
}

func TestPeer_Talk(t *testing.T) {
	c := listen(t, "key", Shell, func(kernel *Peer) {
		request, err := kernel.Receive()
		if err != nil || kernel.Identity != "tester" {
			t.Errorf("request of %q: %v", kernel.Identity, err)
			return
		}
		unrelated, _ := New("stream", "kernel", nil, struct{}{})
		forged := *unrelated
		forged.RawParent = request.RawHeader
		reply, _ := New("kernel_info_reply", "kernel", request, map[string]string{"status": "ok"})
		kernel.Send(unrelated)
		kernel.SendRaw(Encode([]byte("not a message")))
		kernel.SendRaw(Encode(forged.Parts("another key")...))
		kernel.SendRaw(command("PING", []byte("\x00\x01context")))
		kernel.Send(reply)
		if packet, err := kernel.reader.Next(); err != nil ||
			!bytes.Equal(packet.Raw, command("PONG", []byte("context"))) {
			t.Errorf("PING answered with %q, %v", packet.Raw, err)
		}
	})
	client := dial(t, c, Shell)
	request, err := New("kernel_info_request", "client", nil, struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := client.Ask(request)
	if err != nil || reply.Header.Type != "kernel_info_reply" {
		t.Fatalf("answer %+v, %v", reply, err)
	}
}

func TestPeer_Subscribes(t *testing.T) {
	c := listen(t, "", IOPub, func(kernel *Peer) {
		if packet, err := kernel.ReceivePacket(); err != nil || !bytes.Equal(packet.Parts[0], []byte{1}) {
			t.Errorf("subscription %q, %v", packet.Parts, err)
		}
		m, _ := New("status", "kernel", nil, struct{}{})
		m.Identities = [][]byte{[]byte("topic")}
		kernel.Send(m)
	})
	if m, err := dial(t, c, IOPub).Receive(); err != nil || m.Header.Type != "status" {
		t.Errorf("published %+v, %v", m, err)
	}
}

func TestPeer_Heartbeat(t *testing.T) {
	c := listen(t, "", Heartbeat, func(kernel *Peer) { kernel.Echo() })
	client := dial(t, c, Heartbeat)
	for range 3 {
		if err := client.Beat(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPeer_PrivateConnection(t *testing.T) {
	folder, err := os.MkdirTemp("", "wire") // t.TempDir's path is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "kernel.json")
	if err := PrivateConnection(folder, "key").Write(path); err != nil {
		t.Fatal(err)
	}
	c, err := ReadConnection(path)
	if err != nil || c.Network() != "unix" {
		t.Fatalf("%+v, %v", c, err)
	}
	serveOne(t, c, Heartbeat, func(kernel *Peer) { kernel.Echo() })
	if err := dial(t, c, Heartbeat).Beat(); err != nil {
		t.Error(err)
	}
}

func TestProperties_Truncated(t *testing.T) {
	whole := []byte("\x08IDENTITY\x00\x00\x00\x02me\x0bSocket-Type\x00\x00\x00\x03SUB")
	for cut := range whole {
		got := properties(whole[:cut])["identity"]
		if want := map[bool]string{true: "me"}[cut >= 15]; got != want {
			t.Errorf("cut at %d: identity %q, want %q", cut, got, want)
		}
	}
}

func TestPeer_Refused(t *testing.T) {
	old := greeting()
	old[10] = 1
	curve := greeting()
	copy(curve[12:], "CURVE")
	tests := map[string]struct{ says, complaint string }{
		"ZMTP 2":          {string(old), "before 3.0"},
		"encryption":      {string(curve), `"CURVE"`},
		"a web page":      {"HTTP/1.1 400 Bad Request" + strings.Repeat(" ", 64), "another protocol"},
		"silence":         {"", "greeting"},
		"no READY":        {string(greeting()) + string(Encode([]byte("message"))), "handshake"},
		"another command": {string(greeting()) + string(command("ERROR", []byte("no"))), "ERROR"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			go io.Copy(io.Discard, theirs)
			go func() {
				if io.WriteString(theirs, test.says); test.says == "" {
					theirs.Close()
				}
			}()
			_, err := Accept(context.Background(), ours, "", Shell)
			if err == nil || !strings.Contains(err.Error(), test.complaint) {
				t.Errorf("error %v, want one that says %q", err, test.complaint)
			}
		})
	}
}

func TestDial_Context(t *testing.T) {
	c, err := NewConnection("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if _, err := Dial(ctx, c, Shell, ""); err == nil || !strings.Contains(err.Error(), "shell") {
		t.Errorf("error %v, want one that names the channel", err)
	}
}

func TestConnectionFile_RoundTrip(t *testing.T) {
	c, err := NewConnection("key")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kernel-1.json")
	if err := c.Write(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
	if again, err := ReadConnection(path); err != nil || again != c {
		t.Errorf("read back %+v, %v", again, err)
	}
	if err := c.Write(path); err == nil {
		t.Error("a file of somebody else was overwritten")
	}
	seen := map[string]bool{}
	for _, channel := range Channels() {
		seen[c.Address(channel)] = true
	}
	if len(seen) != 5 {
		t.Errorf("ports %v: want five different ones", seen)
	}
}

func TestConnectionFile_Refused(t *testing.T) {
	const ports = `"shell_port":1,"iopub_port":2,"stdin_port":3,"control_port":4,"hb_port":5`
	tests := map[string]struct{ text, complaint string }{
		"pigeon": {`{"transport":"pigeon","ip":"127.0.0.1"}`, "transport"},
		"another scheme": {`{"transport":"tcp","ip":"127.0.0.1","key":"k","signature_scheme":"hmac-md5",` + ports +
			`}`, "hmac-sha256"},
		"no address":      {`{"transport":"tcp","ip":"somewhere",` + ports + `}`, "somewhere"},
		"a port missing":  {`{"transport":"tcp","ip":"127.0.0.1"}`, "shell port 0"},
		"not JSON":        {`{`, "JSON"},
		"far too long":    {strings.Repeat(" ", maxConnectionFile+1), "more than"},
		"localhost":       {`{"transport":"tcp","ip":"localhost",` + ports + `}`, ""},
		"every interface": {`{"ip":"*",` + ports + `}`, ""},
	}
	for name, test := range tests {
		path := filepath.Join(t.TempDir(), "kernel.json")
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadConnection(path)
		if test.complaint == "" && err != nil || test.complaint != "" &&
			(err == nil || !strings.Contains(err.Error(), test.complaint)) {
			t.Errorf("%s: error %v, want %q", name, err, test.complaint)
		}
	}
	if _, err := ReadConnection(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing file was read")
	}
}
