package speechfolder

import (
	"bytes"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess/sound"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// sounds reads the sound of clips.
type sounds struct {
	places map[string]place
	cells  safefile.ParquetCells
}

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

// cell returns the encoded sound of a clip stored in a Parquet file, and the sound's file name.
func (s *sounds) cell(at place) (content []byte, name string, err error) {
	err = s.cells.Read(at.path, at.row, []string{columnSound, columnFile}, func(cells []safefile.Cell) error {
		name = cells[1].Text()
		if cells[0].Null() {
			return fmt.Errorf("read %s: row %d: the sound %.80q is not in the file", at.path, at.row+1, name)
		}
		content = bytes.Clone(cells[0].Bytes())
		return nil
	})
	return content, name, err
}
