package speechfolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// slurpSentence is a line in SLURP's tables: a sentence with its recordings.
type slurpSentence struct {
	Text       string `json:"sentence"`
	Intent     string `json:"intent"`
	Recordings *[]struct {
		File string `json:"file"`
	} `json:"recordings"`
}

// Folders of SLURP's tables and recordings.
var (
	slurpTables = filepath.Join("dataset", "slurp")
	slurpAudio  = filepath.Join("audio", "slurp_real")
)

// readSLURP reads SLURP's tables. Each recording, by the headset or the far microphone, is a clip.
func (t *table) readSLURP() error {
	metadata := filepath.Join(t.dir, slurpTables, "metadata.json")
	speakers, err := slurpSpeakers(metadata)
	if err != nil {
		return err
	}
	t.tables = append(t.tables, metadata)
	for _, of := range t.parts("train.jsonl", "devel.jsonl", "test.jsonl") {
		path := filepath.Join(t.dir, slurpTables, of.name)
		t.tables = append(t.tables, path)
		err := safefile.EachLine(path, maxLine, func(line []byte) error {
			var s slurpSentence
			if err := json.Unmarshal(line, &s); err != nil {
				return fmt.Errorf("not a sentence of SLURP: %w", err)
			}
			return t.addSLURP(of.part, s, speakers)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// maxLine is the maximum length of a line in bytes. SLURP's lines have a few thousand bytes.
const maxLine = 1 << 20

func (t *table) addSLURP(part *[]speech.Utterance, s slurpSentence, speakers map[string]string) error {
	if s.Recordings == nil {
		return errors.New(`the field "recordings" is missing`)
	}
	for _, recording := range *s.Recordings {
		name := recording.File
		path, err := t.pathWithin(slurpAudio, name)
		if err != nil {
			return err
		}
		if _, listed := t.places[name]; listed {
			t.duplicates++ // some recordings belong to two sentences
			continue
		}
		speaker, known := speakers[name]
		if !known {
			return fmt.Errorf("metadata.json does not know who speaks in %.80q", name)
		}
		u := speech.Utterance{ID: name, Speaker: speaker, Text: s.Text, Intent: s.Intent, Microphone: "far field"}
		if strings.Contains(name, "-headset.") {
			u.Microphone = "headset"
		}
		if err := t.add(part, u, file(path)); err != nil {
			return err
		}
	}
	return nil
}

// slurpSpeakers reads the speaker of each recording from SLURP's metadata. The file is large, so only one sentence is
// decoded at a time.
func slurpSpeakers(path string) (map[string]string, error) {
	source, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w; it lists the speakers of the recordings", path, safefile.WithoutPath(err))
	}
	defer source.Close()
	speakers := map[string]string{}
	d := json.NewDecoder(source)
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return nil, fmt.Errorf("read %s: not a JSON object", path)
	}
	for d.More() {
		id, err := d.Token()
		var entry struct {
			Recordings map[string]struct {
				Speaker string `json:"usrid"`
			} `json:"recordings"`
		}
		if err == nil {
			err = d.Decode(&entry)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: after %d recordings, sentence %v: %w", path, len(speakers), id, err)
		}
		for name, recording := range entry.Recordings {
			speakers[name] = recording.Speaker
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("read %s: after %d recordings: %w", path, len(speakers), err)
	}
	return speakers, nil
}
