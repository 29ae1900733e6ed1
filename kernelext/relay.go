package kernelext

import (
	"encoding/gob"
	"os"
	"path/filepath"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// A relay is the kernel's part towards a command that a cell runs. The kernel reads one stream of gob from a cell, in
// which the types of a second program are a mistake after which it reads no more, and it answers one program alone. So
// what the command displays goes to the cell, in whichever order the two have something to show, and from there on.
type relay struct {
	folder string
	shown  *os.File // what the command displays
	hold   *os.File // its other end: without it there is no reading before the command writes, nor after
	heard  *os.File // what the command is told
	passed chan struct{}
	names  []string // of the two pipes, as the environment has them
}

// newRelay is a relay, nil outside a notebook.
func newRelay() (*relay, error) {
	if !gonbui.IsNotebook {
		return nil, nil
	}
	folder, err := os.MkdirTemp("", "unlearnlab-relay")
	if err != nil {
		return nil, err
	}
	r := &relay{folder: folder, passed: make(chan struct{})}
	if err := r.open(filepath.Join(folder, "shown"), filepath.Join(folder, "heard")); err != nil {
		r.remove()
		return nil, err
	}
	go r.pass()
	return r, nil
}

// pass passes on what the command displays, until it has ended.
func (r *relay) pass() {
	defer close(r.passed)
	decoder, encoder := gob.NewDecoder(r.shown), gob.NewEncoder(r.heard)
	for {
		var d protocol.DisplayData
		if decoder.Decode(&d) != nil {
			return
		}
		value, is := d.Data[protocol.MIMECommValue].(protocol.CommValue)
		if !is || value.Address != protocol.GonbuiSyncAddress {
			gonbui.SendData(&d)
			continue
		}
		flush() // the command asks whether the kernel has everything
		err := encoder.Encode(protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: value.Value})
		if err != nil {
			return
		}
	}
}

// close waits until everything is passed on that the command, which has ended, has displayed.
func (r *relay) close() {
	if r == nil {
		return
	}
	r.hold.Close()
	select {
	case <-r.passed:
		flush()
	case <-time.After(syncLimit): // something that the command has left behind holds the other end
	}
	r.remove()
}

func (r *relay) remove() {
	for _, file := range []*os.File{r.shown, r.hold, r.heard} {
		if file != nil {
			file.Close()
		}
	}
	os.RemoveAll(r.folder)
}
