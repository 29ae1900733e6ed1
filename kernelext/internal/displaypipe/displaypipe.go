// Package displaypipe forwards a command's displays through the two pipes of a gonb cell.
package displaypipe

import (
	"encoding/gob"
	"os"
	"path/filepath"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Gob encodes nested metadata only if its type is registered. A failed encoding closes the pipe until the cell ends.
func init() { gob.Register(map[string]any{}) }

// A Relay acts as the kernel for one command. It is needed because the kernel reads a single gob stream from a cell,
// and the type definitions of a second program would end that stream.
type Relay struct {
	Environment []string // environment variables that name the two pipes

	to        Receiver
	folder    string
	displays  *os.File // displays from the command
	writeEnd  *os.File // write end of displays: keeps reads from failing while the command is not connected
	replies   *os.File // replies to the command
	forwarded chan struct{}
}

// A Receiver receives a command's displays, all from one goroutine.
type Receiver struct {
	Show func(*protocol.DisplayData)
	Sync func() // returns when the kernel has received all displays
}

// New creates the pipes in a new folder below parent, or below os.TempDir() if parent is empty.
func New(parent string, to Receiver) (*Relay, error) {
	folder, err := os.MkdirTemp(parent, "unlearnlab-relay")
	if err != nil {
		return nil, err
	}
	r := &Relay{to: to, folder: folder, forwarded: make(chan struct{})}
	displays, replies := filepath.Join(folder, "shown"), filepath.Join(folder, "heard")
	if err := r.open(displays, replies); err != nil {
		r.remove()
		return nil, err
	}
	r.Environment = []string{protocol.GONB_PIPE_ENV + "=" + displays, protocol.GONB_PIPE_BACK_ENV + "=" + replies}
	go r.forward()
	return r, nil
}

// displayDelay delays a display until text that the command printed earlier has arrived. The text takes another way, on
// which the kernel may read it later than the display.
const displayDelay = 10 * time.Millisecond

// forward forwards the command's displays until the command ends.
func (r *Relay) forward() {
	defer close(r.forwarded)
	decoder, encoder := gob.NewDecoder(r.displays), gob.NewEncoder(r.replies)
	for {
		var d protocol.DisplayData
		if decoder.Decode(&d) != nil {
			return
		}
		value, is := d.Data[protocol.MIMECommValue].(protocol.CommValue)
		if !is || value.Address != protocol.GonbuiSyncAddress {
			time.Sleep(displayDelay)
			r.to.Show(&d)
			continue
		}
		r.to.Sync() // the command waits until the kernel has received everything
		err := encoder.Encode(protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: value.Value})
		if err != nil {
			return
		}
	}
}

// closeTimeout limits the wait for a pipe that a leftover process of the command keeps open.
const closeTimeout = 10 * time.Second

// Close waits up to closeTimeout for the remaining displays to be forwarded, then removes the pipes. The command must
// have ended.
func (r *Relay) Close() {
	r.writeEnd.Close()
	select {
	case <-r.forwarded:
		r.to.Sync()
	case <-time.After(closeTimeout):
	}
	r.remove()
}

func (r *Relay) remove() {
	for _, file := range []*os.File{r.displays, r.writeEnd, r.replies} {
		if file != nil {
			file.Close()
		}
	}
	os.RemoveAll(r.folder)
}
