package profilefolder

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// place is where a picture is: a file of its own, or a cell of a Parquet file.
type place struct {
	path   string
	row    int // counted from 0; -1 for a file of its own
	column string
}

func (p place) String() string {
	if p.row < 0 {
		return p.path
	}
	return fmt.Sprintf("%s, row %d", p.path, p.row+1)
}

// pictures reads the pictures of people. Of Parquet files it keeps one reader each, so that pictures in the order of
// the files cost no search.
type pictures struct {
	dir    string
	places [][]place // by person

	mu      sync.Mutex
	readers map[place]*pictureRows // by path and column
}

// pictureRows reads the pictures of one Parquet file.
type pictureRows struct {
	*safefile.ParquetRows
	next int // the row that comes next
}

// near is how many rows are rather read than searched for, which reads the group of rows from its beginning.
const near = 32

// add gives somebody a picture and returns its number. A file is one picture, however many questions are about it.
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

// locate is the path of a picture that a table names. Names are from the table's folder, from the data set's, or from
// the one above it, where the released code of FIUBench has them from: ./dataset/SFHQ/….
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
	return first, nil // Check tells that it is missing
}

// Picture reads a picture of somebody, as the records name them.
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

// cell is the content of a picture in a Parquet file.
func (p *pictures) cell(at place) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := place{path: at.path, column: at.column}
	rows := p.readers[of]
	if rows == nil {
		opened, err := safefile.OpenParquet(at.path, at.column)
		if err != nil {
			return nil, err
		}
		if p.readers == nil {
			p.readers = map[place]*pictureRows{}
		}
		rows = &pictureRows{ParquetRows: opened}
		p.readers[of] = rows
	}
	cells, err := rows.at(at.row)
	if err != nil {
		return nil, err
	}
	if len(cells[0].Bytes()) == 0 {
		return nil, fmt.Errorf("read %s: row %d: the picture is missing", at.path, at.row+1)
	}
	return bytes.Clone(cells[0].Bytes()), nil
}

func (r *pictureRows) at(row int) (cells []safefile.Cell, err error) {
	if row < r.next || row > r.next+near {
		if err := r.Seek(row); err != nil {
			return nil, err
		}
		r.next = row
	}
	for ; r.next <= row; r.next++ {
		if cells, err = r.Next(); err != nil {
			r.next = math.MaxInt // whatever comes is searched for
			return nil, err
		}
	}
	return cells, nil
}

func (p *pictures) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var problems []error
	for of, rows := range p.readers {
		problems = append(problems, rows.Close())
		delete(p.readers, of)
	}
	return errors.Join(problems...)
}
