package kernelext

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Writers for text outside a notebook; tests replace them.
var (
	console  = func() io.Writer { return os.Stdout }
	problems = func() io.Writer { return os.Stderr }
)

// exit ends the cell; tests replace it.
var exit = os.Exit

// display is one output of a cell in several formats. The front end shows the richest format that it supports.
type display struct {
	png           []byte
	width, height int // size on the page in pixels
	html          string
	markdown      string
	text          string
	id            string // outputs with the same id replace each other
	volatile      bool   // whether the output differs from run to run
	ending        string // FailedEnding or StoppedEnding if the output explains why the cell ends
}

// send passes the display to the kernel and does not wait.
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

// VolatileOutput is the key in an output's metadata for an output that differs from run to run and is not compared.
const VolatileOutput = "unlearnlab_volatile"

// EndingOutput is the key in an output's metadata for the output that explains why the cell ends; the value is
// [FailedEnding] or [StoppedEnding]. The kernel makes it the only box of a failed cell. Other kernels show it
// unchanged.
const EndingOutput = "unlearnlab_ending"

// Values of [EndingOutput].
const (
	FailedEnding  = "failed"
	StoppedEnding = "stopped" // the user pressed the stop button, which is not an error
)

// show sends the display and waits until the kernel has received it. Outside a notebook it prints the text.
func (d display) show() {
	if !gonbui.IsNotebook {
		fmt.Fprintln(console(), d.text)
		return
	}
	d.send()
	flush()
}

// syncLimit limits the wait for the kernel. If the kernel has died, gonb's own wait never ends.
var syncLimit = 10 * time.Second

// flush waits until the kernel has received all displays, at most syncLimit. Without it, a cell that ends at once loses
// its last displays.
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
