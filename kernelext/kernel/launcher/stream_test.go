package launcher

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// begun starts a cell and plays gonb's first messages about it. It returns the request.
func (b *bench) begun(code string) *wire.Message {
	b.t.Helper()
	b.execute(code)
	request := b.gets("execute_request")
	b.says(wire.IOPub, "status", request, state("busy"))
	b.says(wire.IOPub, "execute_input", request, map[string]any{"code": code, "execution_count": 7})
	b.published("status")
	b.published("execute_input")
	return request
}

// prints publishes stream output as gonb.
func (b *bench) prints(request *wire.Message, name, text string) {
	b.t.Helper()
	b.says(wire.IOPub, "stream", request, map[string]any{"name": name, "text": text})
}

// untilIdle returns the messages published until the cell is idle.
func (b *bench) untilIdle() (messages []*wire.Message) {
	b.t.Helper()
	for {
		m, err := b.iopub.Receive()
		if err != nil {
			b.t.Fatal(err)
		}
		if executionState(m) == "idle" {
			return messages
		}
		messages = append(messages, m)
	}
}

// Many lines become few messages, and the rest goes to a file.
func TestStream_Spill(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir()) // determines the cache folder where XDG_CACHE_HOME is ignored
	b := newBench(t)
	request := b.begun("%%")
	var all strings.Builder
	const lines = 100_000
	for i := range lines / 100 {
		var piece strings.Builder
		for j := range 100 {
			fmt.Fprintf(&piece, "line %d\n", 100*i+j)
		}
		b.prints(request, "stdout", piece.String())
		all.WriteString(piece.String())
	}
	b.says(wire.Shell, "execute_reply", request, okReply)
	b.idle(request)
	messages := b.untilIdle()
	if len(messages) > 50 {
		t.Errorf("%d messages for %d lines", len(messages), lines)
	}
	shown, note := "", ""
	for _, m := range messages {
		var content struct {
			Text string
			Data map[string]string
		}
		if err := m.Decode(&content); err != nil {
			t.Fatal(err)
		}
		shown += content.Text
		if content.Data != nil {
			note = content.Data["text/plain"]
		}
	}
	if got := strings.Count(shown, "\n"); got != shownLines || !strings.HasPrefix(all.String(), shown) {
		t.Errorf("%d lines are shown, want the first %d", got, shownLines)
	}
	for _, want := range []string{"95000 more lines", "are not shown", "the whole output is in", "line 99999"} {
		if !strings.Contains(note, want) {
			t.Errorf("the note does not say %q: %s", want, note)
		}
	}
	file := regexp.MustCompile(`the whole output is in (\S+)`).FindStringSubmatch(note)
	text, err := os.ReadFile(file[1])
	if err != nil || string(text) != all.String() {
		t.Errorf("the file has %d bytes of %d: %v", len(text), all.Len(), err)
	}
}

func TestStream_DisplayOrder(t *testing.T) {
	b := newBench(t)
	request := b.begun("%%")
	for i := range 3 {
		b.prints(request, "stdout", fmt.Sprint("out ", i, "\n"))
		b.prints(request, "stderr", fmt.Sprint("err ", i, "\n"))
		b.says(wire.IOPub, "display_data", request, map[string]any{"data": map[string]any{"text/plain": i}})
	}
	b.idle(request)
	var order []string
	for _, m := range b.untilIdle() {
		name, _ := field(t, m, "name").(string)
		order = append(order, m.Header.Type+name)
	}
	want := strings.Repeat("streamstdout streamstderr display_data ", 3)
	if got := strings.Join(order, " ") + " "; got != want {
		t.Errorf("%s", got)
	}
}

func TestStream_LongLine(t *testing.T) {
	var s stream
	line := strings.Repeat("é", shownBytes) // two bytes per character
	if fits := s.fit("x" + line); fits != shownBytes-1 {
		t.Errorf("%d bytes of a line are shown", fits)
	}
	s = stream{}
	if fits := s.fit("short\n" + line); fits != len("short\n") {
		t.Errorf("%d bytes: a line that does not fit is left out", fits)
	}
}

func TestStream_OldFiles(t *testing.T) {
	folder := t.TempDir()
	for i := range outputFiles + 5 {
		name := fmt.Sprintf("20260101-%06d-cell-1-1.txt", i)
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prune(folder)
	left, _ := filepath.Glob(folder + "/*")
	if len(left) != outputFiles-1 || !strings.Contains(left[0], "000006") {
		t.Errorf("%d left, the first %v", len(left), left[:1])
	}
}

func TestEnding_OneBox(t *testing.T) {
	ending := func(how string) map[string]any {
		return map[string]any{"data": map[string]any{"text/plain": "error: read x.csv: no such file"},
			"metadata": map[string]any{kernelext.EndingOutput: how}}
	}
	const trace = "panic: no\n\ngoroutine 1 [running]:\nmain.main()\n\t[[ Cell [7] Line 2 ]] /tmp/main.go:9 +0x1\n"
	tests := []struct {
		name     string
		display  map[string]any
		stderr   string
		wantType string
		want     string
	}{
		{"kx.Must", ending(kernelext.FailedEnding), "", "error", "read x.csv: no such file"},
		{"the stop button", ending(kernelext.StoppedEnding), "", "display_data", "no such file"},
		{"a panic", nil, trace, "error", "no (Cell [7] line 2)"},
		{"a panic in kx.Run", ending(kernelext.FailedEnding), "panic at [[ Cell [7] Line 2 ]] /tmp/main.go:9\n",
			"error", "no such file (Cell [7] line 2)"},
		{"log.Fatal", nil, "2026/01/01 no data\n", "error", "no data"},
	}
	for _, test := range tests {
		b := newBench(t)
		request := b.begun("%%\nx")
		if test.stderr != "" {
			b.prints(request, "stderr", test.stderr)
		}
		if test.display != nil {
			b.says(wire.IOPub, "display_data", request, test.display)
		}
		b.prints(request, "stderr", "exit status 1\n")
		b.says(wire.IOPub, "error", request, failure{Name: "ERROR", Value: "exit status 1",
			Traceback: []string{"exit status 1"}})
		b.says(wire.Shell, "execute_reply", request, map[string]any{"status": "error"})
		b.idle(request)
		messages := b.untilIdle()
		if len(messages) != 1 || messages[0].Header.Type != test.wantType ||
			!strings.Contains(string(messages[0].Content), test.want) {
			for _, m := range messages {
				t.Errorf("%s: %s %s", test.name, m.Header.Type, m.Content)
			}
		}
		if reply := b.replied("execute_reply"); replyStatus(reply) != "error" {
			t.Errorf("%s: the cells behind it run on: %s", test.name, reply.Content)
		}
	}
}

func TestEnding_Missing(t *testing.T) {
	b := newBench(t)
	request := b.begun("%%")
	b.prints(request, "stderr", "panic: that is what it said\n")
	b.says(wire.IOPub, "display_data", request, map[string]any{"data": map[string]any{"text/plain": "error: no"},
		"metadata": map[string]any{kernelext.EndingOutput: kernelext.FailedEnding}})
	b.says(wire.Shell, "execute_reply", request, okReply)
	b.idle(request)
	var types []string
	for _, m := range b.untilIdle() {
		types = append(types, m.Header.Type)
	}
	if got := strings.Join(types, " "); got != "stream display_data" {
		t.Error(got)
	}
}
