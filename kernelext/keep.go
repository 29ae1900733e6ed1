package kernelext

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/internal/valuestore"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Keep returns the result of make, which it calls only once. Each cell is a separate program whose values are lost at
// its end, so Keep stores the value on disk.
//
//	scores := kx.Keep("scores", func() []float64 { return train(40) })
//
// A value is identified by its name, its type and its code: the code of make and of all declarations in cells that make
// uses, without comments and spaces. If any of these changes, Keep calls make again. Keep does not notice changes in
// files that make reads or in packages that it calls; after such a change, remove the value with %unlearn kept drop
// NAME. %unlearn kept lists all values.
//
// The type may consist of numbers, strings, slices, maps, and structs with exported fields. Any other type ends the
// cell with a box that explains why.
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
	folder := valuestore.Folder(home)
	what := valuestore.Value{Name: name, Type: typeOf(&value), Maker: makerOf(name, make)}
	if err := valuestore.Read(folder, what, &value); err == nil {
		return value
	} else if !errors.Is(err, os.ErrNotExist) {
		var fresh T
		value = fresh // discard a partly decoded value
	}
	what.Made = time.Now()
	value = make()
	what.Took = time.Since(what.Made)
	if err := valuestore.Write(folder, what, &value); err != nil {
		fail(fmt.Errorf("kx.Keep: %q cannot be kept: %w", name, err))
		return value
	}
	if what.Took >= noticeAfter {
		box := box(noticeEdge, fmt.Sprintf("%s: computed in %s and kept", name, progress.Brief(what.Took)))
		box.volatile = true
		box.show()
	}
	return value
}

// noticeAfter is the computing time from which Keep shows that the value is stored, so that the next run is fast.
const noticeAfter = time.Second
