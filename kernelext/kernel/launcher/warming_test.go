package launcher

import (
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

func TestNeedsBuild(t *testing.T) {
	for code, want := range map[string]bool{
		"%%\nfmt.Println(1)": true, "var x = 1": true, "1 + 1": true, "%%\n": false, "!ls": false, "%env A=b": false,
		"!ls \\\n-l": false, "%%bash\nls": false, "": false,
	} {
		if got := needsBuild(code); got != want {
			t.Errorf("%q: got %t, want %t", code, got, want)
		}
	}
}

// A cell with Go waits until what it imports is built, and others do not wait.
func TestWarming_GoCell(t *testing.T) {
	b := newFront(t)
	b.proxy.warming = make(chan struct{})
	b.attach()
	b.execute("!ls")
	b.runs(b.gets("execute_request"), okReply)
	b.replied("execute_reply")
	for _, want := range []string{"status", "execute_input", "status"} {
		b.published(want)
	}
	cell := b.execute("%%\nfmt.Println(1)")
	if note := b.published("display_data"); !strings.Contains(string(note.Content), "Compiling what cells import") {
		t.Errorf("got the note %s", note.Content)
	}
	close(b.proxy.warming)
	if got := b.gets("execute_request"); got.Header.ID != cell.Header.ID {
		t.Errorf("gonb got %+v, want the cell", got.Header)
	}
}

// The stop button ends the wait.
func TestWarming_Stopped(t *testing.T) {
	b := newFront(t)
	b.proxy.warming = make(chan struct{})
	b.attach()
	b.execute("%%\nfmt.Println(1)")
	for waiting := false; !waiting; time.Sleep(time.Millisecond) { // channels are independent
		b.proxy.events.Lock()
		waiting = b.proxy.running != nil
		b.proxy.events.Unlock()
	}
	control := b.dial(wire.Control, "me")
	b.ask(control, "interrupt_request", map[string]any{})
	b.receive(control, "interrupt_reply")
	if reply := b.replied("execute_reply"); replyStatus(reply) != "error" {
		t.Errorf("got the reply %s", reply.Content)
	}
	b.execute("!ls")
	b.gets("execute_request")
}
