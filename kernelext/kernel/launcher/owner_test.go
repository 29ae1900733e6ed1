//go:build linux

package launcher

import (
	"context"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

func TestOwner_OtherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, who alone can play another user")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash to connect with")
	}
	file := filepath.Join(t.TempDir(), "kernel.json")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	const nobody, owner = 65534, 12345
	if err := os.Chown(file, owner, owner); err != nil {
		t.Fatal(err)
	}
	allowed := trustUsers(file)
	for uid, want := range map[uint32]bool{0: true, owner: true, nobody: false} {
		client := exec.Command(bash, "-c", "exec 3<>/dev/tcp/127.0.0.1/"+port+"; read -t 5 <&3")
		client.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		if err := client.Start(); err != nil {
			t.Fatal(err)
		}
		conn, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if got := allowed(conn); got != want {
			t.Errorf("user %d allowed: %v, want %v", uid, got, want)
		}
		conn.Close()
		client.Wait()
	}
}

func TestOwner_RefusedConnection(t *testing.T) {
	front, err := wire.NewConnection("secret")
	if err != nil {
		t.Fatal(err)
	}
	p := newProxy("secret", log.New(io.Discard, "", 0))
	p.allowed = func(net.Conn) bool { return false }
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := p.listen(ctx, front); err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", front.Address(wire.IOPub))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(testLimit))
	if n, err := conn.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("read %d bytes, %v", n, err)
	}
}
