package kernelext

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/internal/kept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Keep returns what make returns, and calls it only once: each cell is a program of its own, which no value survives,
// so the value stays on disk.
//
//	scores := kx.Keep("scores", func() []float64 { return train(40) })
//
// It is known by its name, its type, and the code that makes it: that of make and of whatever make uses of the cells,
// without comments and spaces. A cell that changes any of this has it made again; what it reads from files and what the
// packages do it does not see, and %unlearn kept drop NAME forgets it. %unlearn kept lists all.
//
// Types are kept whose values are all that there is to them: numbers, words, slices, maps, and structs of exported
// fields. Another type ends the cell with a box that says why.
func Keep[T any](name string, make func() T) T {
	var value T
	home, _, err := store.Home()
	if err == nil {
		err = keepable(&value)
	}
	if err != nil {
		fail(fmt.Errorf("kx.Keep: %q: %w", name, err))
		return value
	}
	folder := kept.Folder(home)
	what := kept.Value{Name: name, Type: typeOf(&value), Maker: makerOf(name, make)}
	if err := kept.Read(folder, what, &value); err == nil {
		return value
	} else if !errors.Is(err, os.ErrNotExist) {
		var fresh T
		value = fresh // half read; it is made again and replaces what cannot be read
	}
	what.Made = time.Now()
	value = make()
	what.Took = time.Since(what.Made)
	if err := kept.Write(folder, what, &value); err != nil {
		fail(fmt.Errorf("kx.Keep: %q cannot be kept: %w", name, err))
		return value
	}
	if what.Took >= noticeable {
		box := box(noticeEdge, fmt.Sprintf("%s: made in %s, and kept", name, brief(what.Took)))
		box.volatile = true
		box.show()
	}
	return value
}

// noticeable is how long making a value takes that is worth a word: who waits wants to know that the next time is fast.
const noticeable = time.Second
