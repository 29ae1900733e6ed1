package kernelext

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/internal/kept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Keep returns the result of make and calls make only once. Each cell is a separate program and no value survives it,
// so Keep stores the value on disk.
//
//	scores := kx.Keep("scores", func() []float64 { return train(40) })
//
// A value is identified by its name, its type, and its code: the code of make and of every declaration of the cells
// that make uses, without comments and spaces. If any of this changes, Keep calls make again. Keep does not notice
// changes in files or packages that make reads or calls; after such a change, remove the value with %unlearn kept drop
// NAME. %unlearn kept lists all values.
//
// The type may be built from numbers, strings, slices, maps, and structs with exported fields. Any other type ends the
// cell with a box that says why.
func Keep[T any](name string, make func() T) T {
	var value T
	home, _, err := store.Home()
	if err == nil {
		err = checkKeepable(&value)
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
		value = fresh // drop what a failed decoding may have filled in
	}
	what.Made = time.Now()
	value = make()
	what.Took = time.Since(what.Made)
	if err := kept.Write(folder, what, &value); err != nil {
		fail(fmt.Errorf("kx.Keep: %q cannot be kept: %w", name, err))
		return value
	}
	if what.Took >= noticeAfter {
		box := box(noticeEdge, fmt.Sprintf("%s: computed in %s and kept", name, brief(what.Took)))
		box.volatile = true
		box.show()
	}
	return value
}

// noticeAfter is the computing time above which Keep shows a notice: a user who waited wants to know that the next time
// is fast.
const noticeAfter = time.Second
