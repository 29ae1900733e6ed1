package speechfolder

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/sound"
)

// sounds reads the sound of clips. Of Parquet files it keeps one reader each, so that clips in the order of the files
// cost no search.
type sounds struct {
	places map[string]place

	mu      sync.Mutex
	readers map[string]*soundRows
}

// soundRows reads the sound of one Parquet file.
type soundRows struct {
	*safefile.ParquetRows
	next int // the row that comes next
}

// near is how many rows are rather read than searched for, which reads the group of rows from its beginning.
const near = 32

func (s *sounds) open(u speech.Utterance) (sound.Clip, error) {
	at := s.places[u.ID]
	if at.row < 0 {
		return sound.Open(at.path)
	}
	content, name, err := s.cell(at)
	if err != nil {
		return sound.Clip{}, err
	}
	return sound.Decode(content, fmt.Sprintf("%s, row %d, %s", at.path, at.row+1, name))
}

// cell is the content of a clip in a Parquet file and the name that the file gives it.
func (s *sounds) cell(at place) (content []byte, name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := s.readers[at.path]
	if rows == nil {
		opened, err := safefile.OpenParquet(at.path, columnSound, columnFile)
		if err != nil {
			return nil, "", err
		}
		if s.readers == nil {
			s.readers = map[string]*soundRows{}
		}
		rows = &soundRows{ParquetRows: opened}
		s.readers[at.path] = rows
	}
	cells, err := rows.at(at.row)
	if err != nil {
		return nil, "", err
	}
	name = cells[1].Text()
	if cells[0].Null() {
		return nil, "", fmt.Errorf("read %s: row %d: the sound %.80q is not in the file", at.path, at.row+1, name)
	}
	return bytes.Clone(cells[0].Bytes()), name, nil
}

func (r *soundRows) at(row int) (cells []safefile.Cell, err error) {
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

func (s *sounds) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var problems []error
	for path, rows := range s.readers {
		problems = append(problems, rows.Close())
		delete(s.readers, path)
	}
	return errors.Join(problems...)
}
