package speechfolder

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// hardSpeaker is the name of ITALIC's split in which no speaker is in two parts.
const hardSpeaker = "hard_speaker"

// italicColumns lists the possible column names in ITALIC's tables.
var italicColumns = columns{text: {"utt"}, intent: {"intent", "label"}, speaker: {"speaker_id", "speaker"}}

// readITALIC reads ITALIC's tables in the publisher's layout, or Parquet files that contain the sound.
func (t *table) readITALIC() error {
	if _, err := os.Stat(filepath.Join(t.dir, hardSpeaker+"_train.json")); err == nil {
		return t.readRecordings()
	}
	folder := t.dir
	if files, err := shards(filepath.Join(t.dir, hardSpeaker), "train"); err != nil || len(files) > 0 {
		folder = filepath.Join(t.dir, hardSpeaker)
	}
	return t.readParquet(italicColumns, folder, folder)
}

// italicLine is a line in ITALIC's tables. The ID is a number in some tables and a string in others.
type italicLine struct {
	ID      any    `json:"id"`
	Text    string `json:"utt"`
	Intent  string `json:"intent"`
	Speaker any    `json:"speaker_id"`
}

func (t *table) readRecordings() error {
	for _, of := range t.parts("train", "validation", "test") {
		path := filepath.Join(t.dir, hardSpeaker+"_"+of.name+".json")
		t.tables = append(t.tables, path)
		err := safefile.EachLine(path, maxLine, func(line []byte) error {
			var l italicLine
			if err := json.Unmarshal(line, &l); err != nil {
				return fmt.Errorf("not a clip of ITALIC: %w", err)
			}
			u := speech.Utterance{ID: name(l.ID), Speaker: name(l.Speaker), Text: l.Text, Intent: l.Intent}
			path, err := t.pathWithin("recordings", u.ID+".wav")
			if err != nil {
				return err
			}
			return t.add(of.part, u, file(path))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// name returns a JSON number or string as text, or "" for other values.
func name(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return fmt.Sprintf("%.0f", v)
	}
	return ""
}
