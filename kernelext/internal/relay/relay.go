// Package relay hands on what a command displays by the two pipes of a gonb cell.
package relay

import (
	"encoding/gob"
	"os"
	"path/filepath"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Nested metadata does not pass the pipe unless its type is known, and an encoding that fails closes the pipe for the
// rest of the cell.
func init() { gob.Register(map[string]any{}) }

// A Relay is the kernel's part towards one command. A kernel reads one stream of gob from a cell, in which the types of
// a second program are a mistake after which it reads no more, and it answers one program alone.
type Relay struct {
	Environment []string // names the two pipes to the command

	to     Receiver
	folder string
	shown  *os.File // what the command displays
	hold   *os.File // its other end: without it there is no reading before the command writes, nor after
	heard  *os.File // what the command is told
	passed chan struct{}
}

// A Receiver gets what a command displays, from one goroutine.
type Receiver struct {
	Show func(*protocol.DisplayData)
	Sync func() // returns when all that was shown has arrived
}

// New makes the pipes, in a folder of their own below another, os.TempDir() where that is empty.
func New(below string, to Receiver) (*Relay, error) {
	folder, err := os.MkdirTemp(below, "unlearnlab-relay")
	if err != nil {
		return nil, err
	}
	r := &Relay{to: to, folder: folder, passed: make(chan struct{})}
	shown, heard := filepath.Join(folder, "shown"), filepath.Join(folder, "heard")
	if err := r.open(shown, heard); err != nil {
		r.remove()
		return nil, err
	}
	r.Environment = []string{protocol.GONB_PIPE_ENV + "=" + shown, protocol.GONB_PIPE_BACK_ENV + "=" + heard}
	go r.pass()
	return r, nil
}

// pass passes on what the command displays, until it has ended.
func (r *Relay) pass() {
	defer close(r.passed)
	decoder, encoder := gob.NewDecoder(r.shown), gob.NewEncoder(r.heard)
	for {
		var d protocol.DisplayData
		if decoder.Decode(&d) != nil {
			return
		}
		value, is := d.Data[protocol.MIMECommValue].(protocol.CommValue)
		if !is || value.Address != protocol.GonbuiSyncAddress {
			r.to.Show(&d)
			continue
		}
		r.to.Sync() // the command asks whether the kernel has everything
		err := encoder.Encode(protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: value.Value})
		if err != nil {
			return
		}
	}
}

// patience ends the wait for a pipe that something holds which the command has left behind.
const patience = 10 * time.Second

// Close waits until everything is passed on that the command, which has ended, has displayed.
func (r *Relay) Close() {
	r.hold.Close()
	select {
	case <-r.passed:
		r.to.Sync()
	case <-time.After(patience):
	}
	r.remove()
}

func (r *Relay) remove() {
	for _, file := range []*os.File{r.shown, r.hold, r.heard} {
		if file != nil {
			file.Close()
		}
	}
	os.RemoveAll(r.folder)
}
