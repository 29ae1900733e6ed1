package safefile

import (
	"errors"
	"math"
	"strings"
	"sync"
)

// ParquetCells reads single rows of Parquet files. It keeps a reader per file, so that rows in file order need no
// search. The zero value is ready; close it after use. Several goroutines may use it.
type ParquetCells struct {
	mu      sync.Mutex
	readers map[string]*nearRows // readers by path and columns
}

// nearRows reads rows of a file and tracks which row is next.
type nearRows struct {
	*ParquetRows
	next int
}

// near is the distance up to which rows are skipped by reading. A search would read the row group from its beginning.
const near = 32

// Read calls take with the cells of a row, counted from 0. The cells are valid until take returns.
func (p *ParquetCells) Read(path string, row int, columns []string, take func(cells []Cell) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := strings.Join(append([]string{path}, columns...), "\x00")
	rows := p.readers[key]
	if rows == nil {
		opened, err := OpenParquet(path, columns...)
		if err != nil {
			return err
		}
		if p.readers == nil {
			p.readers = map[string]*nearRows{}
		}
		rows = &nearRows{ParquetRows: opened}
		p.readers[key] = rows
	}
	cells, err := rows.at(row)
	if err != nil {
		return err
	}
	return take(cells)
}

func (r *nearRows) at(row int) (cells []Cell, err error) {
	if row < r.next || row > r.next+near {
		if err := r.Seek(row); err != nil {
			return nil, err
		}
		r.next = row
	}
	for ; r.next <= row; r.next++ {
		if cells, err = r.Next(); err != nil {
			r.next = math.MaxInt // the next row needs a search
			return nil, err
		}
	}
	return cells, nil
}

// Close closes the files.
func (p *ParquetCells) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var problems []error
	for key, rows := range p.readers {
		problems = append(problems, rows.Close())
		delete(p.readers, key)
	}
	return errors.Join(problems...)
}
