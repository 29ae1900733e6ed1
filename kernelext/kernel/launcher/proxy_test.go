package launcher

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

func TestProxy_UnchangedBytes(t *testing.T) {
	b := newBench(t)
	request, err := wire.New("execute_request", "client", nil,
		map[string]any{"zzz": 1, "code": "%%\nfmt.Println(`<&>`)", "silent": false, "store_history": true,
			"allow_stdin": false, "stop_on_error": true, "user_expressions": map[string]any{}})
	if err != nil {
		t.Fatal(err)
	}
	request.Buffers = [][]byte{bytes.Repeat([]byte{0}, 300)}
	request.Metadata = []byte("{  }") // spaces that no encoder would write
	sent := wire.Encode(request.Parts("secret")...)
	if err := b.shell.SendRaw(sent); err != nil {
		t.Fatal(err)
	}
	got, err := b.gonb[wire.Shell].ReceivePacket()
	if err != nil || !bytes.Equal(got.Raw, sent) {
		t.Fatalf("gonb got %q, %v", got.Raw, err)
	}
	foreign := wire.Encode([]byte("unlearnlab"), []byte("not a Jupyter message"))
	if err := b.gonb[wire.IOPub].SendRaw(foreign); err != nil {
		t.Fatal(err)
	}
	shown := b.says(wire.IOPub, "display_data", request, map[string]any{"data": map[string]any{"text/html": "<b>"}})
	for _, want := range [][]byte{foreign, wire.Encode(shown.Parts("secret")...)} {
		if got, err := b.iopub.ReceivePacket(); err != nil || !bytes.Equal(got.Raw, want) {
			t.Errorf("published as %q, %v; want %q", got.Raw, err, want)
		}
	}
	reply := b.says(wire.Shell, "execute_reply", request, okReply)
	b.idle(request)
	if got, err := b.shell.ReceivePacket(); err != nil || !bytes.Equal(got.Raw, wire.Encode(reply.Parts("secret")...)) {
		t.Errorf("replied as %q, %v", got.Raw, err)
	}
}

func TestProxy_WrongSignature(t *testing.T) {
	b := newBench(t)
	forged, _ := wire.New("execute_request", "intruder", nil, map[string]any{"code": "!rm -r /"})
	b.shell.SendRaw(wire.Encode(forged.Parts("guess")...))
	control := b.dial(wire.Control, "me")
	stop, _ := wire.New("shutdown_request", "intruder", nil, map[string]any{})
	control.SendRaw(wire.Encode(stop.Parts("guess")...))
	b.shell.SendRaw(wire.Encode([]byte("no delimiter")))
	honest := b.execute("%%")
	if got := b.gets("execute_request"); got.Header.ID != honest.Header.ID {
		t.Errorf("gonb got %+v", got.Header)
	}
	select {
	case <-b.proxy.quit:
		t.Error("a forged shutdown_request ended the kernel")
	default:
	}
}

// While a cell is running, the proxy answers requests that gonb would answer late or never.
func TestProxy_AnswersWhileRunning(t *testing.T) {
	b := newBench(t)
	cell := b.execute("%%\ntime.Sleep(time.Hour)")
	b.gets("execute_request")
	tests := []struct {
		request, reply, field string
		content               any
		want                  any
	}{
		{"kernel_info_request", "kernel_info_reply", "implementation", map[string]any{}, "unlearnlab"},
		{"is_complete_request", "is_complete_reply", "status", map[string]any{"code": "%%\nfor {"}, "incomplete"},
		{"is_complete_request", "is_complete_reply", "status", 5, "unknown"},
		{"history_request", "history_reply", "status", map[string]any{"hist_access_type": "tail", "n": 5}, "ok"},
		{"comm_info_request", "comm_info_reply", "status", map[string]any{}, "ok"},
		{"complete_request", "complete_reply", "cursor_start", map[string]any{"code": "%unlearn tab", "cursor_pos": 12},
			9.0},
		{"complete_request", "complete_reply", "cursor_start", map[string]any{"code": "fmt.", "cursor_pos": 4}, 4.0},
		{"complete_request", "complete_reply", "cursor_end", map[string]any{}, 0.0},
		{"inspect_request", "inspect_reply", "found",
			map[string]any{"code": "%unlearn table", "cursor_pos": 3, "detail_level": 0}, true},
		{"inspect_request", "inspect_reply", "found", map[string]any{"code": "fmt", "cursor_pos": 3}, true}, // answered by gopls
	}
	for _, test := range tests {
		request := b.ask(b.shell, test.request, test.content)
		reply := b.replied(test.reply)
		if reply.Parent.ID != request.Header.ID || field(t, reply, test.field) != test.want {
			t.Errorf("%s %v: %s", test.request, test.content, reply.Content)
		}
		b.states()
		if again := b.published("status"); executionState(again) != "busy" || again.Parent.ID != cell.Header.ID {
			t.Errorf("after %s a front end takes the kernel for idle", test.request)
		}
	}
}

func TestProxy_UnknownRequests(t *testing.T) {
	b := newBench(t)
	b.ask(b.shell, "comm_open", map[string]any{"comm_id": "1"})
	b.gets("comm_open")
}

func TestProxy_ErrorAborts(t *testing.T) {
	b := newBench(t)
	first, second := b.execute("%%\na"), b.execute("%%\nb")
	unstoppable := b.ask(b.shell, "execute_request", map[string]any{"code": "%%\nc", "stop_on_error": false})
	b.runs(b.gets("execute_request"),
		map[string]any{"status": "error", "ename": "ERROR", "evalue": "no", "traceback": []string{}})
	if reply := b.replied("execute_reply"); reply.Parent.ID != first.Header.ID || replyStatus(reply) != "error" {
		t.Fatalf("first reply %+v %s", reply.Parent, reply.Content)
	}
	if reply := b.replied("execute_reply"); reply.Parent.ID != second.Header.ID || replyStatus(reply) != "aborted" {
		t.Fatalf("second reply %+v %s", reply.Parent, reply.Content)
	}
	got := b.gets("execute_request")
	if got.Header.ID != unstoppable.Header.ID {
		t.Errorf("gonb got %+v, want the cell that does not stop on errors", got.Header)
	}
	if field(t, got, "silent") != false || field(t, got, "store_history") != true {
		t.Errorf("gonb ends at a request without silent and store_history: %s", got.Content)
	}
	b.runs(got, okReply)
	b.replied("execute_reply")
	later := b.execute("%%\nd")
	if got := b.gets("execute_request"); got.Header.ID != later.Header.ID {
		t.Errorf("a cell sent after the error's answer did not run")
	}
}

// The stop button aborts queued cells, and interrupts the running cell repeatedly.
func TestProxy_StopButton(t *testing.T) {
	b := newBench(t)
	b.execute("%%\na")
	waiting := b.execute("%%\nb")
	running := b.gets("execute_request")
	control := b.dial(wire.Control, "me")
	b.ask(control, "interrupt_request", map[string]any{})
	b.receive(control, "interrupt_reply")
	if reply := b.replied("execute_reply"); reply.Parent.ID != waiting.Header.ID || replyStatus(reply) != "aborted" {
		t.Errorf("%+v %s", reply.Parent, reply.Content)
	}
	for range 2 { // gonb ignores the first interrupt, which arrives while it compiles
		b.receive(b.gonb[wire.Control], "interrupt_request")
	}
	b.runs(running, okReply)
	b.replied("execute_reply")
}

// The reply on shell may arrive before any message on iopub.
func TestProxy_EarlyReply(t *testing.T) {
	b := newBench(t)
	b.execute("%unlearn help")
	request := b.gets("execute_request")
	b.says(wire.Shell, "execute_reply", request, okReply)
	time.Sleep(10 * time.Millisecond)
	b.says(wire.IOPub, "execute_input", request, map[string]any{"code": "", "execution_count": 7})
	b.idle(request)
	if input := b.published("execute_input"); field(t, input, "code") != "%unlearn help" {
		t.Errorf("the front end sees %s", input.Content)
	}
	result := b.published("execute_result")
	if !strings.Contains(string(result.Content), "%unlearn table") || field(t, result, "execution_count") != 7.0 ||
		result.Parent.ID != request.Header.ID {
		t.Errorf("result %s of %+v", result.Content, result.Parent)
	}
	b.published("status")
	b.replied("execute_reply")
}

// A reply waits for the cell's idle state at most idleLimit.
func TestProxy_MissingOutput(t *testing.T) {
	b := newBench(t)
	b.execute("%%")
	start := time.Now()
	b.says(wire.Shell, "execute_reply", b.gets("execute_request"), okReply)
	b.replied("execute_reply")
	if waited := time.Since(start); waited < idleLimit-50*time.Millisecond {
		t.Errorf("the answer came after %v, before the output could", waited)
	}
	if got := executionState(b.published("status")); got != "idle" {
		t.Errorf("front ends that wait for the end of the cell are told %s", got)
	}
}

// Messages published before a subscription takes effect are lost.
func TestBackend_AwaitIOPub(t *testing.T) {
	b := newFront(t)
	backend := b.dialled()
	listens := make(chan error, 1)
	go func() { listens <- backend.awaitIOPub(t.Context()) }()
	early := b.gets("kernel_info_request") // the messages about this request are lost
	last := b.gets("kernel_info_request")
	b.says(wire.IOPub, "status", early, state("busy"))
	b.idle(early)
	select {
	case err := <-listens:
		t.Fatalf("it does not wait for the end of the last question: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	b.idle(last)
	go func() { // on a slow machine, there is a third request before the first published message arrives
		if m, err := b.gonb[wire.Shell].Receive(); err == nil {
			b.idle(m)
		}
	}()
	if err := <-listens; err != nil {
		t.Fatal(err)
	}
	b.says(wire.IOPub, "stream", last, map[string]any{"name": "stdout", "text": "next"})
	if m, err := backend.peers[wire.IOPub].Receive(); err != nil || m.Header.Type != "stream" {
		t.Errorf("what comes next is %+v, %v", m, err)
	}
}

func TestBackend_Gone(t *testing.T) {
	b := newFront(t)
	backend := b.dialled()
	ctx, cancel := context.WithCancel(t.Context())
	listens := make(chan error, 1)
	go func() { listens <- backend.awaitIOPub(ctx) }()
	b.gets("kernel_info_request")
	cancel()
	if err := <-listens; err == nil {
		t.Error("it hears a gonb that says nothing")
	}
}

// An iopub client must not get messages during the handshake, because it would take them for a part of it.
func TestProxy_SlowHandshake(t *testing.T) {
	b := newBench(t)
	slow := dialSlowly(t, b.front.Address(wire.IOPub))
	b.ask(b.shell, "kernel_info_request", map[string]any{})
	b.states()
	slow.finish()
	b.ask(b.shell, "kernel_info_request", map[string]any{})
	for _, want := range []string{"busy", "idle"} {
		if m, err := slow.peer.Receive(); err != nil || executionState(m) != want {
			t.Fatalf("got %+v, %v; want %s", m, err, want)
		}
	}
}

// A pending completion does not keep the kernel from ending.
func TestProxy_PendingCompletion(t *testing.T) {
	b := newBench(t)
	b.proxy.setLanguage(&language{opening: true})
	b.ask(b.shell, "complete_request", map[string]any{"code": "fmt.", "cursor_pos": 4})
	control := b.dial(wire.Control, "me")
	b.ask(control, "shutdown_request", map[string]any{"restart": true})
	if reply := b.receive(control, "shutdown_reply"); field(t, reply, "restart") != true {
		t.Errorf("%s", reply.Content)
	}
	b.receive(b.gonb[wire.Control], "shutdown_request")
	select {
	case <-b.proxy.quit: // after this, gonb's exit code does not matter
	case <-time.After(testLimit):
		t.Error("the launcher does not know that the kernel was told to end")
	}
}

func TestVerb_Mistake(t *testing.T) {
	b := newBench(t)
	b.execute("%unlearn tabel\n!rm -r data")
	request := b.gets("execute_request")
	if code := field(t, request, "code"); code != "" {
		t.Errorf("gonb got %q", code)
	}
	b.runs(request, okReply)
	b.published("status")
	b.published("execute_input")
	if box := b.published("error"); !strings.Contains(field(t, box, "evalue").(string), "%unlearn table?") {
		t.Errorf("%s", box.Content)
	}
	b.published("status")
	if reply := b.replied("execute_reply"); replyStatus(reply) != "error" || field(t, reply, "execution_count") != 7.0 {
		t.Errorf("%s", reply.Content)
	}
}

// Cells wait for gonb; kernel_info requests do not.
func TestProxy_WaitsForGonb(t *testing.T) {
	b := newFront(t)
	b.ask(b.shell, "kernel_info_request", map[string]any{})
	b.replied("kernel_info_reply")
	cell := b.execute("%%")
	b.attach()
	if got := b.gets("execute_request"); got.Header.ID != cell.Header.ID {
		t.Errorf("gonb got %+v", got.Header)
	}
}

func TestProxy_Explains(t *testing.T) {
	b := newFront(t)
	first, second := b.execute("%%"), b.execute("%%")
	b.proxy.failCells(explanation([]Problem{{"goimports is not in /bin", "build it"}, {"another", "mend it"}}))
	b.published("status")
	b.published("execute_input")
	box := string(b.published("error").Content)
	for _, want := range []string{"goimports is not in /bin", "build it", "another", "mend it", "restart the kernel"} {
		if !strings.Contains(box, want) {
			t.Errorf("the box does not say %q: %s", want, box)
		}
	}
	b.published("status")
	if reply := b.replied("execute_reply"); reply.Parent.ID != first.Header.ID || replyStatus(reply) != "error" {
		t.Errorf("%s", reply.Content)
	}
	if reply := b.replied("execute_reply"); reply.Parent.ID != second.Header.ID || replyStatus(reply) != "aborted" {
		t.Errorf("one box is enough: %s", reply.Content)
	}
}

// A cell's input request goes to the front end that runs the cell.
func TestProxy_Stdin(t *testing.T) {
	b := newBench(t)
	mine, other := b.dial(wire.Stdin, "me"), b.dial(wire.Stdin, "another")
	for i := 0; i < 100 && clientsOn(b.proxy, wire.Stdin) < 2; i++ {
		time.Sleep(5 * time.Millisecond)
	}
	b.execute("%%")
	request := b.gets("execute_request")
	b.says(wire.Stdin, "input_request", request, map[string]any{"prompt": "?"})
	b.receive(mine, "input_request")
	b.ask(mine, "input_reply", map[string]any{"value": "yes"})
	b.receive(b.gonb[wire.Stdin], "input_reply")
	other.SetDeadline(time.Now().Add(50 * time.Millisecond))
	if m, err := other.Receive(); err == nil {
		t.Errorf("another front end was asked: %s", m.Content)
	}
}

func clientsOn(p *proxy, channel wire.Channel) (n int) {
	p.events.Lock()
	defer p.events.Unlock()
	for c := range p.clients {
		if c.channel == channel {
			n++
		}
	}
	return n
}

func TestProxy_Heartbeat(t *testing.T) {
	if err := newFront(t).dial(wire.Heartbeat, "").Beat(); err != nil {
		t.Error(err)
	}
}

// A front end that stops reading does not block other clients.
func TestProxy_SlowReader(t *testing.T) {
	b := newBench(t)
	b.dial(wire.IOPub, "asleep")
	b.execute("%%")
	request := b.gets("execute_request")
	text := strings.Repeat("x", 64<<10)
	go func() {
		for range 400 { // more than the sockets can buffer
			b.says(wire.IOPub, "display_data", request, map[string]any{"data": map[string]any{"text/plain": text}})
		}
		b.says(wire.Shell, "execute_reply", request, okReply)
		b.idle(request)
	}()
	for range 400 {
		b.published("display_data")
	}
	b.replied("execute_reply")
}

// If gonb's messages cannot be parsed, their bytes are copied.
func TestProxy_Unreadable(t *testing.T) {
	b := newBench(t)
	b.execute("%%\na")
	b.gets("execute_request")
	waiting := b.execute("%%\nb")
	odd := []byte{0x80, 3, 'o', 'd', 'd'} // a flag that ZMTP 3 does not define
	if err := b.gonb[wire.IOPub].SendRaw(odd); err != nil {
		t.Fatal(err)
	}
	if got := b.gets("execute_request"); got.Header.ID != waiting.Header.ID {
		t.Errorf("gonb got %+v, want the cell that waited", got.Header)
	}
	after := wire.Encode(b.says(wire.IOPub, "stream", waiting,
		map[string]any{"name": "stdout", "text": "more"}).Parts("secret")...)
	got := make([]byte, len(odd)+len(after))
	if _, err := io.ReadFull(b.iopub, got); err != nil || !bytes.Equal(got, append(odd, after...)) {
		t.Errorf("copied %q, %v", got, err)
	}
	b.ask(b.shell, "kernel_info_request", map[string]any{})
	asked := b.gets("kernel_info_request")
	b.says(wire.Shell, "kernel_info_reply", asked, map[string]any{"from": "gonb"})
	if reply := b.replied("kernel_info_reply"); field(t, reply, "from") != "gonb" {
		t.Errorf("%s", reply.Content)
	}
}

func TestClient_Subscriptions(t *testing.T) {
	var c client
	steps := []struct {
		request string
		topic   string
		want    bool
	}{
		{"", "stream", false},
		{"\x01stream", "stream.stdout", true},
		{"\x01stream", "status", false},
		{"\x00stream", "stream", true}, // the topic was subscribed to twice
		{"\x00stream", "stream", false},
		{"\x00stream", "stream", false},
		{"\x01", "anything", true},
	}
	for i, step := range steps {
		c.subscribe([]byte(step.request))
		if got := c.subscribed([]byte(step.topic)); got != step.want {
			t.Errorf("step %d: wants %q: %v", i, step.topic, got)
		}
	}
}

func TestVerb_SilentMistake(t *testing.T) {
	b := newBench(t)
	b.ask(b.shell, "execute_request", map[string]any{"code": "%unlearn tabel", "silent": true})
	request := b.gets("execute_request")
	b.says(wire.Shell, "execute_reply", request, okReply)
	b.idle(request)
	if reply := b.replied("execute_reply"); replyStatus(reply) != "error" {
		t.Errorf("%s", reply.Content)
	}
}
