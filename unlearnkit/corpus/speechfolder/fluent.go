package speechfolder

import (
	"fmt"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// fluentColumns lists the columns read from Fluent Speech Commands' tables. The last three determine the intent.
var fluentColumns = []string{"path", "speakerId", "transcription", "action", "object", "location"}

func (t *table) readFluent() error {
	for _, of := range t.parts("train_data.csv", "valid_data.csv", "test_data.csv") {
		path := filepath.Join(t.dir, "data", of.name)
		t.tables = append(t.tables, path)
		frame, err := safefile.ReadWords(path, fluentColumns...)
		if err != nil {
			return err
		}
		for row := range frame.Rows() {
			if err := t.addFluent(of.part, frame, row); err != nil {
				return fmt.Errorf("read %s: row %d: %w", path, row+1, err)
			}
		}
	}
	return nil
}

func (t *table) addFluent(part *[]speech.Utterance, frame *safefile.Frame, row int) error {
	cells := make([]string, len(fluentColumns))
	for i, column := range frame.Columns {
		if cells[i] = column.Texts[row]; cells[i] == "" {
			return fmt.Errorf("the column %q is empty", column.Name)
		}
	}
	path, err := t.pathWithin("", cells[0])
	if err != nil {
		return err
	}
	intent := cells[3] + "|" + cells[4] + "|" + cells[5]
	return t.add(part, speech.Utterance{ID: cells[0], Speaker: cells[1], Text: cells[2], Intent: intent}, file(path))
}
