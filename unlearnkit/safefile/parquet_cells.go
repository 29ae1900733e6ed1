package safefile

import (
	"errors"
	"math"
	"strings"
	"sync"
)

// ParquetCells reads single rows of Parquet files. Of each file it keeps a reader, so that rows in the order of the
// file cost no search. The zero value is ready; close it after use. It may be used by several goroutines.
type ParquetCells struct {
	mu      sync.Mutex
	readers map[string]*nearRows // by path and columns
}

// nearRows are rows of a file, and which comes next.
type nearRows struct {
	*ParquetRows
	next int
}

// near is how many rows are rather read than searched for, which reads the group of rows from its beginning.
const near = 32

// Read gives take the cells of a row, counted from 0, which are its own until it returns.
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
			r.next = math.MaxInt // whatever comes is searched for
			return nil, err
		}
	}
	return cells, nil
}

// Close gives the files back.
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
