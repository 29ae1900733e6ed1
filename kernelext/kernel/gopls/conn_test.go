package gopls

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"
)

// pair returns a connection and the server's end of it.
func pair(t *testing.T, answer func(string, json.RawMessage) any) (*conn, net.Conn) {
	t.Helper()
	ours, theirs := net.Pipe()
	t.Cleanup(func() { theirs.Close() })
	return newConn(ours, answer), theirs
}

func frame(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }

func TestConn_MatchesReplies(t *testing.T) {
	c, server := pair(t, func(method string, _ json.RawMessage) any { return method + "!" })
	go func() {
		r := bufio.NewReader(server)
		asked, err := read(r)
		if err != nil || asked.Method != "ask" || string(asked.Params) != `{"x":1}` {
			t.Errorf("%+v, %v", asked, err)
		}
		fmt.Fprint(server, frame(`{"jsonrpc":"2.0","id":"own","method":"workspace/configuration"}`))
		if answer, err := read(r); err != nil || string(answer.Result) != `"workspace/configuration!"` {
			t.Errorf("%+v, %v", answer, err)
		}
		fmt.Fprint(server, frame(`{"jsonrpc":"2.0","method":"window/logMessage"}`))
		fmt.Fprint(server, frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":[7]}`, asked.ID)))
		asked, _ = read(r)
		fmt.Fprint(server, frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"message":"no"}}`, asked.ID)))
	}()
	var got []int
	if err := c.call(context.Background(), "ask", map[string]int{"x": 1}, &got); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if err := c.call(context.Background(), "ask", nil, nil); err == nil || err.Error() != "ask: no" {
		t.Errorf("%v", err)
	}
}

// No request hangs if the server ends or sends an invalid message.
func TestConn_BadServer(t *testing.T) {
	for _, said := range []string{"", "Content-Length: 99999999999\r\n\r\n", "Content-Length: -1\r\n\r\n",
		"nonsense\r\n\r\n", frame("{")} {
		c, server := pair(t, func(string, json.RawMessage) any { return nil })
		go func() {
			read(bufio.NewReader(server))
			fmt.Fprint(server, said)
			server.Close()
		}()
		if err := c.call(context.Background(), "ask", nil, nil); !errors.Is(err, errEnded) || !c.over() {
			t.Errorf("after %q: %v", said, err)
		}
		if err := c.notify("more", nil); !errors.Is(err, errEnded) {
			t.Errorf("after %q: %v", said, err)
		}
	}
}

func TestConn_Cancel(t *testing.T) {
	c, server := pair(t, func(string, json.RawMessage) any { return nil })
	cancelled := make(chan string, 1)
	go func() {
		r := bufio.NewReader(server)
		read(r)
		m, _ := read(r)
		cancelled <- m.Method
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := c.call(ctx, "ask", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if got := <-cancelled; got != "$/cancelRequest" {
		t.Error(got)
	}
}
