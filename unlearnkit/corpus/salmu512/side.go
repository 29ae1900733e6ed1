package salmu512

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/internal/datafolder"
)

// Names of the benchmark's side files.
const (
	fileIdentities   = "identities_metadata.json"
	fileCaptions     = "sensitive_set_captions_metadata.json"
	fileGeneric      = "sensitive_set_generic_captions.json"
	fileFragile      = "fragile_set_ids.json"
	fileSimilarities = "fragile_set_all_similarities.json"
)

// maxSide is the maximum size of a side file in bytes. The largest file has a few numbers and words for each of 60,053
// rows.
const maxSide = 256 << 20

// SideFiles holds the content of the benchmark's side files.
type SideFiles struct {
	Identities   map[string]json.RawMessage // private facts by identity
	Fields       map[string]string          // attribute in the caption, by file name
	Generic      map[string]string          // caption without private facts, by file name
	Fragile      map[string]bool            // rows of the fragile set, by file name
	Similarities map[string]float64         // scores from which the fragile set was selected, by file name
}

// Side returns the content of the side files, which are read at the first call.
func (d *Data) Side() (*SideFiles, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sideFiles()
}

func (d *Data) sideFiles() (*SideFiles, error) {
	if d.side != nil {
		return d.side, nil
	}
	if d.Kind != Benchmark {
		return nil, fmt.Errorf("the %s data have no side files, the benchmark has", d.Kind)
	}
	side, findings := readSide(d.Dir)
	if len(findings) > 0 {
		return nil, fmt.Errorf("read %s: %s", filepath.Join(d.Dir, findings[0].Where), findings[0].What)
	}
	d.side = side
	return side, nil
}

// readSide reads the side files. It returns findings for those that it cannot read.
func readSide(dir string) (*SideFiles, []Finding) {
	var findings []Finding
	s := &SideFiles{Fields: map[string]string{}, Generic: map[string]string{}, Fragile: map[string]bool{},
		Similarities: map[string]float64{}}
	read := func(name string, parse func(content []byte) error) {
		content, err := readBounded(filepath.Join(dir, name))
		if err == nil {
			err = parse(content)
		}
		if err != nil {
			findings = append(findings, datafolder.FailureAt(name, "%v", err))
		}
	}
	read(fileIdentities, func(content []byte) (err error) {
		s.Identities, err = records(content, "identity_id", "id")
		return err
	})
	read(fileCaptions, func(content []byte) error { return texts(s.Fields, content, "data_field") })
	read(fileGeneric, func(content []byte) error {
		return texts(s.Generic, content, "caption", "generic_caption", "text")
	})
	read(fileFragile, func(content []byte) error {
		var ids []string
		if err := json.Unmarshal(content, &ids); err != nil {
			return wrongShape("a list of file names", err)
		}
		for _, id := range ids {
			s.Fragile[id] = true
		}
		return nil
	})
	read(fileSimilarities, func(content []byte) error {
		all, err := records(content, "file_name")
		if err != nil {
			return err
		}
		for name, value := range all {
			number, err := member[float64](value, "similarity")
			if err != nil {
				return fmt.Errorf("%.80q: %w", name, err)
			}
			s.Similarities[name] = number
		}
		return nil
	})
	return s, findings
}

func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("the file is missing")
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSide {
		return nil, fmt.Errorf("it is not a file of at most %d MB", maxSide>>20)
	}
	return os.ReadFile(path)
}

// records parses a JSON object as it is, or a list of objects into a map. The key of a list element is the first of the
// given fields that it has.
func records(content []byte, fields ...string) (map[string]json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	if !bytes.HasPrefix(bytes.TrimSpace(content), []byte("[")) {
		err := json.Unmarshal(content, &all)
		if err != nil {
			return nil, wrongShape("an object", err)
		}
		return all, nil
	}
	var items []json.RawMessage
	if err := json.Unmarshal(content, &items); err != nil {
		return nil, wrongShape("a list of objects", err)
	}
	for i, item := range items {
		name, err := member[string](item, fields...)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		all[name] = item
	}
	return all, nil
}

// texts reads a text for each file name: the value itself or, if the value is an object, the first of the given fields
// that it has.
func texts(into map[string]string, content []byte, fields ...string) error {
	all, err := records(content, "file_name")
	if err != nil {
		return err
	}
	for name, value := range all {
		text, err := member[string](value, fields...)
		if err != nil {
			return fmt.Errorf("%.80q: %w", name, err)
		}
		into[name] = text
	}
	return nil
}

// member decodes a value or, if it is an object, the first of the given fields that it has.
func member[T any](value json.RawMessage, fields ...string) (T, error) {
	var result T
	if json.Unmarshal(value, &result) == nil {
		return result, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(value, &object); err != nil {
		return result, fmt.Errorf("neither a %T nor an object with %q", result, fields)
	}
	for _, field := range fields {
		if found, has := object[field]; has && json.Unmarshal(found, &result) == nil {
			return result, nil
		}
	}
	return result, fmt.Errorf("an object without %q", fields)
}

func wrongShape(want string, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not whole JSON at byte %d: %v", syntax.Offset, err)
	}
	return fmt.Errorf("it is not %s: %v", want, err)
}
