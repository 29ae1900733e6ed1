package kernelext

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Where text goes outside a notebook; tests replace them.
var (
	console  = func() io.Writer { return os.Stdout }
	problems = func() io.Writer { return os.Stderr }
)

// exit ends the cell; tests replace it.
var exit = os.Exit

// display is one output of a cell in several forms, of which the front end shows the richest that it can.
type display struct {
	png           []byte
	width, height int // of the picture on the page, in pixels
	html          string
	markdown      string
	text          string
	id            string // outputs with the same id replace each other
	volatile      bool   // differs from run to run
	ending        string // one of the endings, when it says why the cell ends
}

// send gives the display to the kernel and does not wait for it.
func (d display) send() {
	data := map[protocol.MIMEType]any{protocol.MIMETextPlain: d.text}
	metadata := map[string]any{}
	if d.png != nil {
		data[protocol.MIMEImagePNG] = d.png
		metadata["image/png"] = map[string]any{"width": d.width, "height": d.height}
	}
	if d.html != "" {
		data[protocol.MIMETextHTML] = d.html
	}
	if d.markdown != "" {
		data[protocol.MIMETextMarkdown] = d.markdown
	}
	if d.volatile {
		metadata[VolatileOutput] = true
	}
	if d.ending != "" {
		metadata[EndingOutput] = d.ending
	}
	gonbui.SendData(&protocol.DisplayData{Data: data, Metadata: metadata, DisplayID: d.id})
}

// VolatileOutput is the key in an output's metadata that says: this differs from run to run, do not compare it.
const VolatileOutput = "unlearnlab_volatile"

// EndingOutput is the key in an output's metadata that says: the cell ends now, and this is why. The kernel makes it
// the one box of a cell that fails; another kernel shows it as it is. Its value is one of the endings.
const EndingOutput = "unlearnlab_ending"

// The endings of cells.
const (
	FailedEnding  = "failed"
	StoppedEnding = "stopped" // by the stop button: nothing went wrong
)

// show sends the display and waits until the kernel has it; outside a notebook it prints the text.
func (d display) show() {
	if !gonbui.IsNotebook {
		fmt.Fprintln(console(), d.text)
		return
	}
	d.send()
	flush()
}

// syncLimit ends the wait for a kernel that has died: gonb's own wait would not end.
var syncLimit = 10 * time.Second

// flush waits until the kernel has everything that was sent. Without it a cell that ends at once loses its last
// displays.
func flush() {
	if !gonbui.IsNotebook {
		return
	}
	done := make(chan struct{})
	go func() {
		gonbui.Sync()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(syncLimit):
	}
}
