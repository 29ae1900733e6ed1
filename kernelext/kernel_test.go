//go:build unix

package kernelext

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	runsOf "github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
)

// cells holds the programs that run in a separate process with a kernel's pipes, like the cells of a notebook.
var cells = map[string]func(){
	"figure": func() { Figure(picture{[]byte("\x89PNG"), 480, 320, "two lines that cross", nil}) },
	"sound": func() {
		Sounds(Sound{"who <speaks>\nthe first", []float32{0, .25, -1, 1}, 8000}, Sound{"", []float32{.5}, 16000})
	},
	"failure":  func() { Figure(picture{err: errors.New("no data <here>")}) },
	"many":     manyTables,
	"markdown": func() { Markdown("**bold**"); Printf("n = %d", 3) },
	"bar": func() {
		bar := Progress(40, "seeds")
		for range 40 {
			time.Sleep(5 * time.Millisecond)
			bar.Step(1)
		}
		bar.Done()
		bar.Done()
	},
	"interrupt": func() {
		Run(func(ctx context.Context) error {
			Text("waiting")
			<-ctx.Done()
			return fmt.Errorf("train: %w", ctx.Err())
		})
	},
	"panic": func() { Run(func(context.Context) error { panic("out of range") }) },
	"error": func() { Run(func(context.Context) error { return errors.New("read data.csv: no such file") }) },
	"fine":  func() { Run(func(context.Context) error { Text("done"); return nil }) },
	"runs": func() {
		report := Runs("mine")
		running := []runsOf.Running{{Title: "DELETE", Done: 1, Of: 2}}
		for made := range 4 {
			time.Sleep(barInterval + time.Millisecond)
			report(runsOf.Status{Runs: 4, Made: made, Running: running, Left: time.Minute})
		}
		report(runsOf.Status{Runs: 4, Made: 3, Failed: []string{"NG"}, Elapsed: 90 * time.Second, Left: -1})
	},
	"preset": func() { Text(Lab().Preset.Value) },
	"around a command": func() {
		Run(func(context.Context) error { Text("before"); return nil })
		Command("table", "shown")
		Run(func(context.Context) error { Text("between"); Command("table", "shown"); return nil })
		Text("behind")
	},
}

func manyTables() {
	for i := range 40 {
		Table([]struct{ I int }{{i}})
	}
}

func TestMain(m *testing.M) {
	playVerb()
	if cell, ok := cells[os.Getenv("KX_TEST_CELL")]; ok {
		cell()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// An execution records what a cell sent to the kernel.
type execution struct {
	shown  []protocol.DisplayData
	stderr string
	status int
}

// execute runs a cell and plays the kernel at the other end of its two pipes. It calls seen with each display.
func execute(t *testing.T, cell string, environment []string, seen func(*os.Process, protocol.DisplayData)) execution {
	t.Helper()
	folder := t.TempDir()
	forth, back := filepath.Join(folder, "forth"), filepath.Join(folder, "back")
	for _, path := range []string{forth, back} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0])
	command.Env = append(os.Environ(), "KX_TEST_CELL="+cell, protocol.GONB_PIPE_ENV+"="+forth,
		protocol.GONB_PIPE_BACK_ENV+"="+back)
	command.Env = append(command.Env, environment...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	// Both ends of a pipe are opened at once, so that neither side waits for the other. A cell that shows nothing can
	// still end.
	reader, err := os.OpenFile(forth, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(back, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var e execution
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		decoder, encoder := gob.NewDecoder(reader), gob.NewEncoder(writer)
		for {
			var d protocol.DisplayData
			if decoder.Decode(&d) != nil {
				return
			}
			if value, ok := d.Data[protocol.MIMECommValue].(protocol.CommValue); ok &&
				value.Address == protocol.GonbuiSyncAddress {
				encoder.Encode(protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: value.Value})
				continue
			}
			e.shown = append(e.shown, d)
			if seen != nil {
				seen(command.Process, d)
			}
		}
	}()
	err = command.Wait()
	reader.Close()
	<-finished
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	e.status, e.stderr = command.ProcessState.ExitCode(), stderr.String()
	return e
}

func (e execution) texts() []string {
	var texts []string
	for _, d := range e.shown {
		texts = append(texts, d.Data[protocol.MIMETextPlain].(string))
	}
	return texts
}

// A figure is a single message with its size and its text.
func TestFigure_OneMessage(t *testing.T) {
	e := execute(t, "figure", nil, nil)
	if len(e.shown) != 1 || e.status != 0 {
		t.Fatalf("%d displays, status %d, %s", len(e.shown), e.status, e.stderr)
	}
	d := e.shown[0]
	if png, _ := d.Data[protocol.MIMEImagePNG].([]byte); string(png) != "\x89PNG" {
		t.Errorf("picture %q", d.Data[protocol.MIMEImagePNG])
	}
	if text := d.Data[protocol.MIMETextPlain]; text != "two lines that cross" {
		t.Errorf("text %q", text)
	}
	size, _ := d.Metadata["image/png"].(map[string]any)
	if size["width"] != 480 || size["height"] != 320 {
		t.Errorf("size %v", d.Metadata)
	}
}

var playerSource = regexp.MustCompile(`src="data:audio/wav;base64,([^"]+)"`)

// Several sounds are a single message with a WAV file for each player.
func TestSound_OneMessage(t *testing.T) {
	e := execute(t, "sound", nil, nil)
	if len(e.shown) != 1 || e.status != 0 {
		t.Fatalf("%d displays, status %d, %s", len(e.shown), e.status, e.stderr)
	}
	page, _ := e.shown[0].Data[protocol.MIMETextHTML].(string)
	if !strings.Contains(page, "who &lt;speaks&gt;<br>the first<br><audio controls ") {
		t.Errorf("no caption in %s", page)
	}
	if text := e.texts()[0]; text != "who <speaks> the first: sound, 0.001 s at 8,000 Hz\nsound, 0.000 s at 16,000 Hz" {
		t.Errorf("text %q", text)
	}
	want := []safefile.Audio{{Rate: 8000, Channels: [][]float32{{0, .25, -1, 1 - 0x1p-15}}},
		{Rate: 16000, Channels: [][]float32{{.5}}}}
	var got []safefile.Audio
	for _, source := range playerSource.FindAllStringSubmatch(page, -1) {
		file, err := base64.StdEncoding.DecodeString(source[1])
		if err != nil {
			t.Fatal(err)
		}
		audio, err := safefile.DecodeAudio(file, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, *audio)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
	again := execute(t, "sound", nil, nil)
	if diff := cmp.Diff(e.shown, again.shown); diff != "" {
		t.Errorf("shown again it differs:\n%s", diff)
	}
}

// No display is lost if the cell ends right after it.
func TestDisplay_CellEnds(t *testing.T) {
	if e := execute(t, "many", nil, nil); len(e.shown) != 40 {
		t.Errorf("%d of 40 tables arrived: %s", len(e.shown), e.stderr)
	}
}

func TestDisplay_Order(t *testing.T) {
	e := execute(t, "markdown", nil, nil)
	if got := e.texts(); !slices.Equal(got, []string{"**bold**", "n = 3"}) {
		t.Errorf("texts %q", got)
	}
	if e.shown[0].Data[protocol.MIMETextMarkdown] != "**bold**" {
		t.Errorf("markdown %v", e.shown[0].Data)
	}
}

func TestFailure_OneBox(t *testing.T) {
	tests := []struct{ cell, text, stderr string }{
		{"failure", "error: figure: no data <here>", ""},
		{"error", "error: read data.csv: no such file", ""},
		{"panic", "error: panic: out of range", ""},
		{"preset", `error: preset "huge" of $UNLEARNLAB_PRESET does not exist; choose one of smoke, quick, mini, paper`,
			""},
	}
	for _, test := range tests {
		e := execute(t, test.cell, []string{PresetVariable + "=huge"}, nil)
		if e.status != 1 || len(e.shown) != 1 || e.texts()[0] != test.text {
			t.Errorf("%s: status %d, shown %q", test.cell, e.status, e.texts())
		}
		if html, _ := e.shown[0].Data[protocol.MIMETextHTML].(string); strings.Contains(html, "<here>") {
			t.Errorf("%s: markup of the message went into the page: %s", test.cell, html)
		}
	}
	if e := execute(t, "fine", nil, nil); e.status != 0 || !slices.Equal(e.texts(), []string{"done"}) {
		t.Errorf("work without an error: status %d, shown %q", e.status, e.texts())
	}
}

func TestStopButton_CancelsContext(t *testing.T) {
	e := execute(t, "interrupt", nil, func(cell *os.Process, d protocol.DisplayData) {
		if d.Data[protocol.MIMETextPlain] == "waiting" {
			cell.Signal(os.Interrupt)
		}
	})
	if got := e.texts(); e.status != 1 || !slices.Equal(got, []string{"waiting", "stopped"}) {
		t.Errorf("status %d, shown %q", e.status, got)
	}
}

func TestBar_MovesInPlace(t *testing.T) {
	e := execute(t, "bar", nil, nil)
	texts := e.texts()
	if n := len(texts); n < 3 || n > 8 {
		t.Fatalf("%d displays of a loop of a fifth of a second: %q", n, texts)
	}
	for _, d := range e.shown {
		if d.DisplayID == "" || d.DisplayID != e.shown[0].DisplayID {
			t.Errorf("display id %q, the first was %q", d.DisplayID, e.shown[0].DisplayID)
		}
		if d.Metadata[VolatileOutput] != true {
			t.Errorf("not marked as differing from run to run: %v", d.Metadata)
		}
	}
	if first := e.shown[0].Data[protocol.MIMETextHTML].(string); !strings.Contains(first,
		`<progress value="0" max="40"`) {
		t.Errorf("first %s", first)
	}
	last := texts[len(texts)-1]
	if !strings.HasPrefix(last, "seeds: 40 in ") || !strings.HasSuffix(last, "/s)") {
		t.Errorf("last %q", last)
	}
}

func TestBar_StudyRuns(t *testing.T) {
	e := execute(t, "runs", nil, nil)
	texts := e.texts()
	if len(texts) != 5 || e.stderr != "" {
		t.Fatalf("%q, and on stderr %q", texts, e.stderr)
	}
	if got := e.shown[1].Data[protocol.MIMETextHTML].(string); !strings.Contains(got,
		`<progress value="150" max="400"`) || !strings.Contains(got, "white-space:nowrap") {
		t.Errorf(`got %v, want %q in it, "white-space:nowrap" in it`, got, `<progress value="150" max="400"`)
	}
	if texts[1] != "mine: 1 of 4 runs, 1m0s left: DELETE 50 %" || texts[4] != "mine: 3 of 4 runs in 1m30s, 1 failed" {
		t.Errorf(`got %q, want [1] "mine: 1 of 4 runs, 1m0s left: DELETE 50 %%", [4] "mine: 3 of 4 runs in `+
			`1m30s, 1 failed"`,
			texts)
	}
}
