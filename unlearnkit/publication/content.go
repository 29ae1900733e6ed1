package publication

import (
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

// content is the files of a published run.
type content struct {
	shelf *Shelf
	parts map[string]placement
}

// Place says where the run is published.
func (c *content) Place() string {
	for _, p := range c.parts {
		return fmt.Sprintf("%s, %s", path.Join(c.shelf.name, path.Dir(p.path)), p.key)
	}
	return c.shelf.name
}

// section is a part of a file that stays open.
type section struct{ *io.SectionReader }

func (section) Close() error { return nil }

// Open opens a file that is no table.
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

// ReadTable reads the rows of a table that are of the run.
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

// Verify compares a file with its SHA-256, a table's rows with that of their values.
func (c *content) Verify(name string, stored store.File) (reason string, err error) {
	if c.parts[name].rows > 0 {
		frame, err := c.ReadTable(name)
		if err != nil {
			return err.Error(), nil
		}
		if found := digest(frame); found != c.parts[name].values {
			return fmt.Sprintf("the SHA-256 of its values is %.12s…, published was %.12s…", found,
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
