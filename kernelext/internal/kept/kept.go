// Package kept has values on disk that a notebook's cells have computed, under their names and what made them.
package kept

import (
	"bufio"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// A Value says what a file of a value holds.
type Value struct {
	Name  string
	Type  string // of Go, with its fields
	Maker string // a digest of the code that makes it
	Made  time.Time
	Took  time.Duration

	Path  string // the file; not in it
	Bytes int64
}

// Folder is where the values are, below the laboratory's folder.
func Folder(home string) string { return filepath.Join(home, "kept") }

// versions is how many values of one name stay: those of notebooks that use the same name do not drive each other out.
const versions = 4

const ending = ".gob"

// path is the file of a value.
func (v Value) path(folder string) string {
	digest := sha256.Sum256([]byte(v.Name + "\x00" + v.Type + "\x00" + v.Maker))
	readable := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, v.Name)
	return filepath.Join(folder, fmt.Sprintf("%.40s-%x%s", readable, digest[:8], ending))
}

// Read reads into a pointer the value that has the name, the type and the maker; os.ErrNotExist where there is none.
func Read(folder string, v Value, into any) error {
	file, err := os.Open(v.path(folder))
	if err != nil {
		return err
	}
	defer file.Close()
	decoder := gob.NewDecoder(bufio.NewReader(file))
	var found Value
	if err := decoder.Decode(&found); err != nil {
		return fmt.Errorf("read %s: %w", file.Name(), err)
	}
	if found.Name != v.Name || found.Type != v.Type || found.Maker != v.Maker {
		return fmt.Errorf("read %s: it holds %q: %w", file.Name(), found.Name, os.ErrNotExist)
	}
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("read %s: %w", file.Name(), err)
	}
	return nil
}

// Write keeps a value, whole or not at all, and lets the oldest of its name go.
func Write(folder string, v Value, value any) error {
	if err := safefile.MakeFolder(folder); err != nil {
		return err
	}
	err := safefile.WriteFile(v.path(folder), func(w io.Writer) error {
		encoder := gob.NewEncoder(w)
		if err := encoder.Encode(v); err != nil {
			return err
		}
		return encoder.Encode(value)
	})
	if err != nil {
		return err
	}
	all, err := List(folder)
	if err != nil {
		return nil // the value is kept; what else is there is not known
	}
	same := slices.DeleteFunc(all, func(other Value) bool { return other.Name != v.Name })
	for _, old := range same[min(versions, len(same)):] {
		os.Remove(old.Path)
	}
	return nil
}

// List lists all values, the newest first. A file that is none is left out.
func List(folder string) ([]Value, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"+ending))
	if err != nil {
		return nil, err
	}
	var all []Value
	for _, path := range files {
		if v, err := describe(path); err == nil {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b Value) int { return b.Made.Compare(a.Made) })
	return all, nil
}

func describe(path string) (v Value, err error) {
	file, err := os.Open(path)
	if err != nil {
		return v, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return v, err
	}
	err = gob.NewDecoder(file).Decode(&v)
	v.Path, v.Bytes = path, info.Size()
	return v, err
}

// Drop removes the values of a name, or all where it is empty, and returns how many there were.
func Drop(folder, name string) (dropped int, err error) {
	all, err := List(folder)
	if err != nil {
		return 0, err
	}
	var problems []error
	for _, v := range all {
		if name != "" && v.Name != name {
			continue
		}
		if err := os.Remove(v.Path); err != nil {
			problems = append(problems, err)
			continue
		}
		dropped++
	}
	return dropped, errors.Join(problems...)
}
