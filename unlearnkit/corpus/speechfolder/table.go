package speechfolder

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
)

// table holds the content of a data set's tables.
type table struct {
	dir        string
	kind       Kind
	set        speech.Set // set with the published parts and without labels
	places     map[string]place
	duplicates int      // number of recordings listed more than once
	tables     []string // paths of the files read, without sound files
}

// place is the location of a clip's sound: a file, or a row in a Parquet file.
type place struct {
	path string
	row  int // row in a Parquet file, counted from 0; -1 for a sound file
}

// file returns the place of a clip with its own file.
func file(path string) place { return place{path, -1} }

func read(dir string, kind Kind) (*table, error) {
	t := &table{dir: dir, kind: kind, places: map[string]place{},
		set: speech.Set{Name: kind.Title(), Language: kind.Language(), Rate: Rate}}
	var err error
	switch kind {
	case FluentSpeechCommands:
		err = t.readFluent()
	case SLURP:
		err = t.readSLURP()
	case ITALIC:
		err = t.readITALIC()
	default:
		err = t.readMASSIVE()
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// add adds a clip to a part. It returns an error if the ID, speaker, text or intent is empty, or if the ID occurs
// twice.
func (t *table) add(part *[]speech.Utterance, u speech.Utterance, at place) error {
	for _, cell := range [][2]string{{"ID", u.ID}, {"speaker", u.Speaker}, {"text", u.Text}, {"intent", u.Intent}} {
		if strings.TrimSpace(cell[1]) == "" {
			return fmt.Errorf("the clip has no %s", cell[0])
		}
	}
	if _, taken := t.places[u.ID]; taken {
		return fmt.Errorf("the clip %s occurs twice", u.ID)
	}
	t.places[u.ID] = at
	*part = append(*part, u)
	return nil
}

// pathWithin returns the path of a file named in a table, or an error if the file is outside the folder.
func (t *table) pathWithin(folder, name string) (string, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return "", fmt.Errorf("the file %.80q leads out of the folder", name)
	}
	return filepath.Join(t.dir, folder, local), nil
}

// files lists the tables of the published parts.
type files []struct {
	name string
	part *[]speech.Utterance
}

// parts returns the tables of the published parts, given their file names.
func (t *table) parts(train, validation, test string) files {
	return files{{train, &t.set.Train}, {validation, &t.set.Validation}, {test, &t.set.Test}}
}
