package imagefolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// metadata is the path of a metadata.jsonl file. It reads the layout with that file.
type metadata string

// maxLine is the maximum length of a line in bytes.
const maxLine = 1 << 20

// errEnough stops the reading of lines when the caller wants no more rows.
var errEnough = errors.New("no more rows are wanted")

// check reads all lines before any work is done, so that an error near the end is found early.
func (m metadata) check(caption string) error {
	rows := 0
	err := safefile.EachLine(string(m), maxLine, func(line []byte) error {
		rows++
		_, _, err := row(line, caption)
		return err
	})
	if err == nil && rows == 0 {
		return fmt.Errorf("read %s: it names no pictures", string(m))
	}
	return err
}

func (m metadata) samples(caption string, yield func(Sample, error) bool) {
	err := safefile.EachLine(string(m), maxLine, func(line []byte) error {
		name, text, err := row(line, caption)
		if err != nil {
			return err
		}
		picture, err := safefile.ReadImage(filepath.Join(filepath.Dir(string(m)), filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if !yield(Sample{name, text, picture}, nil) {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		yield(Sample{}, err)
	}
}

// row returns the file name and the caption in a line.
func row(line []byte, caption string) (name, text string, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return "", "", fmt.Errorf("not a whole JSON object: %v", err)
	}
	if name, err = textOf(fields, "file_name"); err != nil {
		return "", "", err
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", "", fmt.Errorf("the file_name %.80q leads out of the folder", name)
	}
	text, err = textOf(fields, caption)
	return name, text, err
}

func textOf(fields map[string]json.RawMessage, column string) (string, error) {
	value, has := fields[column]
	if !has {
		names := slices.Sorted(maps.Keys(fields))
		return "", fmt.Errorf("no column %q; it has %.200s", column, strings.Join(names, ", "))
	}
	var text *string
	if err := json.Unmarshal(value, &text); err != nil || text == nil {
		return "", fmt.Errorf("the column %q holds %.40s, not a text", column, value)
	}
	return *text, nil
}
