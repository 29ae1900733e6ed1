// Package valuestore stores values computed by a notebook's cells. A value is found by its name, its type and its code.
package valuestore

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

// A Value describes a stored value.
type Value struct {
	Name  string
	Type  string // Go type with its fields
	Maker string // digest of the code that computes the value
	Made  time.Time
	Took  time.Duration

	Path  string // path of the file; not stored in it
	Bytes int64
}

// Folder returns the folder for values in the laboratory's home.
func Folder(home string) string { return filepath.Join(home, "kept") }

// versions is the maximum number of values stored under one name. It is above 1 so that notebooks with the same name
// for a value do not replace each other's values.
const versions = 4

const ending = ".gob"

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

// Read decodes the value with v's name, type and maker into a pointer. If there is no such value, the error wraps
// os.ErrNotExist.
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

// Write stores a value atomically and removes the oldest values of the same name.
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
		return nil // the value is stored; the old ones cannot be listed
	}
	same := slices.DeleteFunc(all, func(other Value) bool { return other.Name != v.Name })
	for _, old := range same[min(versions, len(same)):] {
		os.Remove(old.Path)
	}
	return nil
}

// List returns all values, the newest first. It skips files that cannot be decoded.
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

// Drop removes the values with a name, or all values if name is empty, and returns the number removed.
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
