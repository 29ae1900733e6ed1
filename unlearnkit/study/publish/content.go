package publish

import (
	"fmt"
	"io"
	"math"
	"path"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// content gives access to the files of a published run.
type content struct {
	shelf *Shelf
	parts map[string]placement
}

// Place returns the folder of a publication that has the run, and the run's key.
func (c *content) Place() string {
	for _, p := range c.parts {
		return fmt.Sprintf("%s, %s", path.Join(c.shelf.name, path.Dir(p.path)), p.key)
	}
	return c.shelf.name
}

// keyLabel is the label that holds the run's key.
const keyLabel = "key"

// Locate returns where a file of the run is stored. For a table it also returns labels that select its rows: the key,
// and the labels that distinguish several tables of the run in the same file.
func (c *content) Locate(name string) (store.Location, error) {
	p := c.parts[name]
	at := store.Location{Path: path.Join(c.shelf.name, p.path), First: p.first}
	if p.rows == 0 {
		return at, nil
	}
	own, err := c.labels(p)
	if err != nil {
		return at, err
	}
	telling := map[string]bool{keyLabel: true}
	for _, other := range c.parts {
		if other.path != p.path || other.first == p.first || other.rows == 0 {
			continue
		}
		theirs, err := c.labels(other)
		if err != nil {
			return at, err
		}
		for i, label := range own.Columns {
			telling[label.Name] = telling[label.Name] || !sameLabel(label, theirs.Columns[i])
		}
	}
	for _, label := range own.Columns {
		if telling[label.Name] {
			at.Labels = append(at.Labels, label)
		}
	}
	return at, nil
}

// labels returns the label columns in the rows of one of the run's tables.
func (c *content) labels(p placement) (*safefile.Frame, error) {
	f, err := c.shelf.open(p.path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path.Join(c.shelf.name, p.path), err)
	}
	table, err := f.table()
	if err != nil {
		return nil, err
	}
	ofRun := labels(table)
	if len(ofRun) == 0 {
		return &safefile.Frame{}, nil
	}
	return table.Read(p.first, 1, ofRun...)
}

// sameLabel reports whether two labels have the same values.
func sameLabel(a, b safefile.Column) bool {
	return slices.Equal(a.Texts, b.Texts) && slices.EqualFunc(a.Values, b.Values, func(x, y float64) bool {
		return x == y || math.IsNaN(x) && math.IsNaN(y)
	})
}

// section is a part of a file. Its Close method does nothing.
type section struct{ *io.SectionReader }

func (section) Close() error { return nil }

// Open opens a file that is not a table.
func (c *content) Open(name string) (store.Opened, error) {
	p := c.parts[name]
	f, err := c.shelf.open(p.path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path.Join(c.shelf.name, p.path), err)
	}
	switch {
	case p.rows > 0:
		return nil, fmt.Errorf("%s: %w", name, store.ErrTable)
	case p.member == "":
		return section{io.NewSectionReader(f.source, 0, f.size)}, nil
	}
	archive, err := f.zip()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path.Join(c.shelf.name, p.path), err)
	}
	for _, member := range archive.File {
		if member.Name != p.member {
			continue
		}
		begins, err := member.DataOffset()
		if err != nil {
			return nil, err
		}
		return section{io.NewSectionReader(f.source, begins, int64(member.CompressedSize64))}, nil
	}
	return nil, fmt.Errorf("open %s: it has no %s", path.Join(c.shelf.name, p.path), p.member)
}

// ReadTable reads the rows of a table that belong to the run.
func (c *content) ReadTable(name string, columns ...string) (*safefile.Frame, error) {
	p := c.parts[name]
	f, err := c.shelf.open(p.path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path.Join(c.shelf.name, p.path), err)
	}
	table, err := f.table()
	if err != nil {
		return nil, err
	}
	if len(columns) == 0 {
		ofRun := labels(table)
		columns = slices.DeleteFunc(table.Columns(), func(column string) bool { return slices.Contains(ofRun, column) })
	}
	return table.Read(p.first, p.rows, columns...)
}

// Verify compares a file's SHA-256, or the digest of a table's values, with the recorded one.
func (c *content) Verify(name string, stored store.File) (reason string, err error) {
	if c.parts[name].rows > 0 {
		frame, err := c.ReadTable(name)
		if err != nil {
			return err.Error(), nil
		}
		if found := digest(frame); found != c.parts[name].values {
			return fmt.Sprintf("the SHA-256 of its values is %.12s…, the published one %.12s…", found,
				c.parts[name].values), nil
		}
		return "", nil
	}
	opened, err := c.Open(name)
	if err != nil {
		return err.Error(), nil
	}
	defer opened.Close()
	return stored.Compare(opened)
}
