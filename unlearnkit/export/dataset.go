package export

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// Dataset is a data set whose rows have type R, a struct whose fields are the columns. The tag json names a column, and
// the tag about describes it. Fields are strings, integers, floats, booleans or lists of strings.
type Dataset[R any] struct {
	Name    string // name, such as "salmu-mini-world-0"
	About   string // description in one sentence
	License string // address of the licence
	Cite    string // reference that users should cite
	Splits  []Split[R]
	// File returns the path of a row's picture or clip, relative to the split's folder. It is nil if rows have no such
	// file; the split is then written as DIR/SPLIT.jsonl.
	File func(row R) string
	// Draw writes the picture or clip of a row.
	Draw   func(row R, target io.Writer) error
	Ending string // extension of the files: "png" or "wav"
}

// Split is a part of a data set.
type Split[R any] struct {
	Name  string // name of letters, digits and underscores
	About string
	Rows  []R
}

// License is the address of the licence of generated data.
const License = "https://www.apache.org/licenses/LICENSE-2.0"

// OrdersFile is the name of the file with the order in which the paper's methods walk through the rows of a split, by
// split and pass.
const OrdersFile = "orders.json"

// metadataFile is the name under which the library Hugging Face datasets expects the columns of pictures and clips.
const metadataFile = "metadata.jsonl"

// table returns the path of a split's rows, relative to the folder of the data set.
func (d Dataset[R]) table(split string) string {
	if d.File == nil {
		return split + ".jsonl"
	}
	return split + "/" + metadataFile
}

// Write writes the data set into an existing folder.
func (d Dataset[R]) Write(ctx context.Context, dir string) error {
	sums := map[string]string{}
	for _, split := range d.Splits {
		if len(split.Rows) == 0 {
			return fmt.Errorf("write %s: the split %s has no rows", dir, split.Name)
		}
		sum, err := d.writeSplit(ctx, dir, split)
		if err != nil {
			return err
		}
		sums[split.Name] = sum
	}
	if err := os.WriteFile(filepath.Join(dir, "croissant.json"), d.croissant(sums), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "README.md"), d.card(sums), 0o644)
}

// writeSplit writes the rows of a split and their pictures or clips. It returns the SHA-256 of the rows.
func (d Dataset[R]) writeSplit(ctx context.Context, dir string, split Split[R]) (sum string, err error) {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	written := map[string]bool{}
	for _, row := range split.Rows {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if err := encoder.Encode(row); err != nil {
			return "", err
		}
		if d.File == nil {
			continue
		}
		name := d.File(row)
		if written[name] {
			return "", fmt.Errorf("write %s: two rows of the split %s have the file %s", dir, split.Name, name)
		}
		written[name] = true
		if err := writeTo(filepath.Join(dir, split.Name, name), func(w io.Writer) error {
			return d.Draw(row, w)
		}); err != nil {
			return "", err
		}
	}
	if err := writeTo(filepath.Join(dir, d.table(split.Name)), func(w io.Writer) error {
		_, err := w.Write(lines.Bytes())
		return err
	}); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(lines.Bytes())), nil
}

// writeTo writes a file and creates its parent folders. It does not sync the file, because the data set remains in a
// temporary folder until all files are written.
func writeTo(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file)
	return errors.Join(write(buffered), buffered.Flush(), file.Close())
}

type column struct{ name, about, kind string }

// columnKinds maps Go kinds to Croissant's data types.
var columnKinds = map[reflect.Kind]string{reflect.String: "sc:Text", reflect.Int: "sc:Integer",
	reflect.Float64: "sc:Float", reflect.Bool: "sc:Boolean", reflect.Slice: "sc:Text"}

// columns returns the columns that R's fields declare.
func (d Dataset[R]) columns() (all []column) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[R]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		kind, known := columnKinds[field.Type.Kind()]
		if !known {
			panic(fmt.Sprintf("export: the column %s has the type %s", name, field.Type))
		}
		all = append(all, column{name, field.Tag.Get("about"), kind})
	}
	return all
}

// card returns the README.md of the data set. Its header lists the splits for the library Hugging Face datasets. That
// library caches rows under the name of the configuration. The name therefore contains a digest of the rows, so that
// the cache does not return the rows of another world.
func (d Dataset[R]) card(sums map[string]string) []byte {
	digest := sha256.New()
	for _, split := range d.Splits {
		fmt.Fprintln(digest, split.Name, sums[split.Name])
	}
	var card strings.Builder
	fmt.Fprintf(&card, "---\nconfigs:\n- config_name: %s-%.8x\n  data_files:\n", d.Name, digest.Sum(nil))
	for _, split := range d.Splits {
		path := split.Name + "/*"
		if d.File == nil {
			path = d.table(split.Name)
		}
		fmt.Fprintf(&card, "  - split: %s\n    path: %s\n", split.Name, path)
	}
	fmt.Fprintf(&card, "---\n\n# %s\n\n%s\n\n| split | rows | content |\n|---|--:|---|\n", d.Name, d.About)
	for _, split := range d.Splits {
		fmt.Fprintf(&card, "| `%s` | %d | %s |\n", split.Name, len(split.Rows), split.About)
	}
	fmt.Fprintf(&card, "\n| column | content |\n|---|---|\n")
	for _, c := range d.columns() {
		fmt.Fprintf(&card, "| `%s` | %s |\n", c.name, c.about)
	}
	return []byte(card.String())
}
