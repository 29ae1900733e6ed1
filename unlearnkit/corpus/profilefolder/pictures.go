package profilefolder

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// place is the location of a picture: a file, or a cell of a Parquet file.
type place struct {
	path   string
	row    int // row in a Parquet file, counted from 0; -1 for a picture file
	column string
}

func (p place) String() string {
	if p.row < 0 {
		return p.path
	}
	return fmt.Sprintf("%s, row %d", p.path, p.row+1)
}

// pictures finds and reads the pictures of all people.
type pictures struct {
	dir    string
	places [][]place // places of each person's pictures
	cells  safefile.ParquetCells
}

// add adds a picture of a person and returns its index. A picture file used by several questions is added once.
func (p *pictures) add(person int, at place) int {
	if at.row < 0 {
		for i, has := range p.places[person] {
			if has == at {
				return i
			}
		}
	}
	p.places[person] = append(p.places[person], at)
	return len(p.places[person]) - 1
}

// locate returns the path of a picture named in a table. The name may be relative to the table's folder, to the data
// set's folder, or to the folder above it. FIUBench's code uses the last form: ./dataset/SFHQ/….
func (p *pictures) locate(table, name string) (string, error) {
	local := filepath.Clean(filepath.FromSlash(strings.TrimSpace(name)))
	if !filepath.IsLocal(local) {
		return "", fmt.Errorf("the picture %.80q leads out of the folder", name)
	}
	_, below, nested := strings.Cut(filepath.ToSlash(local), "/")
	first := filepath.Join(filepath.Dir(table), local)
	candidates := []string{first, filepath.Join(p.dir, local)}
	if nested {
		candidates = append(candidates, filepath.Join(p.dir, filepath.FromSlash(below)))
	}
	for _, path := range candidates {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return first, nil // Check will report that the file is missing
}

// Picture reads a picture, given the indices of the person and the picture in a record.
func (f *Folder) Picture(identity, picture int) (*safefile.Image, error) {
	if identity < 0 || identity >= len(f.People) || picture < 0 || picture >= len(f.pictures.places[identity]) {
		return nil, fmt.Errorf("read %s: there is no picture %d of person %d", f.Dir, picture, identity)
	}
	at := f.pictures.places[identity][picture]
	if at.row < 0 {
		return safefile.ReadImage(at.path)
	}
	content, err := f.pictures.cell(at)
	if err != nil {
		return nil, err
	}
	image, err := safefile.DecodeImage(content)
	if err != nil {
		return nil, fmt.Errorf("read %s: row %d: the picture: %w", at.path, at.row+1, err)
	}
	return image, nil
}

// cell returns the bytes of a picture stored in a Parquet file.
func (p *pictures) cell(at place) (content []byte, err error) {
	err = p.cells.Read(at.path, at.row, []string{at.column}, func(cells []safefile.Cell) error {
		if len(cells[0].Bytes()) == 0 {
			return fmt.Errorf("read %s: row %d: the picture is missing", at.path, at.row+1)
		}
		content = bytes.Clone(cells[0].Bytes())
		return nil
	})
	return content, err
}
