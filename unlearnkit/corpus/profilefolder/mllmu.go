package profilefolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Columns and folders of MLLMU-Bench.
const (
	mllmuID        = "ID"
	mllmuBiography = "biography"
	mllmuQuestion  = "question"
	mllmuAnswer    = "answer"
	mllmuMetadata  = "metadata" // JSON list of objects with Question and Answer
	mllmuImage     = "image.bytes"
	trainingFolder = "ft_Data"
	publicFolder   = "Retain_Set"
	testFolder     = "Test_Set"
)

// setFolder matches the names of folders that list the people to forget or to retain.
var setFolder = regexp.MustCompile(`^(?:forget|retain)_\d+$`)

// readMLLMU reads the people of Full_Set with their biographies and pictures, and the sets to which they belong. The
// questions come from ft_Data if it has any, and otherwise from Full_Set, which has one question per person. The people
// of Retain_Set are public. The benchmark has no attributes and no keywords.
func (f *Folder) readMLLMU() error {
	if err := f.readBiographies(fullFolder); err != nil {
		return err
	}
	private := len(f.People)
	trained, err := f.readTraining()
	if err != nil {
		return err
	}
	if trained {
		f.Records = slices.DeleteFunc(f.Records, func(r Record) bool { return strings.HasPrefix(r.ID, fullFolder) })
	}
	if len(f.People) != private {
		return fmt.Errorf("read %s: %s asks about %q, who is not in %s; download them again", f.Dir, trainingFolder,
			f.People[private].ID, fullFolder)
	}
	if len(parquetIn(filepath.Join(f.Dir, publicFolder))) > 0 {
		if err := f.readBiographies(publicFolder); err != nil {
			return err
		}
	}
	if len(parquetIn(filepath.Join(f.Dir, testFolder))) > 0 {
		f.Dropped = append(f.Dropped, testFolder+": its pictures are lists in cells, which are not read")
	}
	f.Dropped = append(f.Dropped, "questions with choices or gaps: they are lists in cells, which are not read")
	return f.readSets()
}

// readBiographies reads a folder of Parquet files with one person per row.
func (f *Folder) readBiographies(folder string) error {
	for _, path := range parquetIn(filepath.Join(f.Dir, folder)) {
		t, err := openTable(path)
		if err != nil {
			return err
		}
		for _, needed := range []string{mllmuID, mllmuImage, mllmuQuestion, mllmuAnswer} {
			if !slices.Contains(t.columns, needed) {
				return fmt.Errorf("read %s: no column %s; it has %s", path, needed,
					shorten(strings.Join(t.columns, ", "), 300))
			}
		}
		f.tables = append(f.tables, path)
		wanted := []string{mllmuID, mllmuQuestion, mllmuAnswer, t.column([]string{mllmuBiography})}
		err = t.each(wanted, func(row int, cells []string) error {
			id := cells[0]
			if folder != fullFolder {
				id = folder + "/" + id // this folder numbers its people independently
			}
			if _, twice := f.ids[id]; cells[0] == "" || twice {
				return fmt.Errorf("the ID %q is empty or another's", cells[0])
			}
			person := f.person(id)
			f.People[person].About = cells[3]
			if folder != fullFolder {
				f.People[person].Sets = []string{folder}
			}
			f.pictures.add(person, place{path, row, mllmuImage})
			f.learn(folder+"-"+cells[0], person, cells[1], cells[2])
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// learn adds a training question.
func (f *Folder) learn(id string, person int, question, answer string) {
	f.Records = append(f.Records, Record{Record: profile.Record{ID: id, Identity: person, Split: profile.Train,
		Hop: hopIn(question, f.People[person].Name()), Question: strings.TrimSpace(question),
		Answer: strings.TrimSpace(answer)}})
}

// readTraining reads the training questions, and reports whether there are any.
func (f *Folder) readTraining() (trained bool, err error) {
	for _, path := range parquetIn(filepath.Join(f.Dir, trainingFolder)) {
		t, err := openTable(path)
		if err != nil {
			return false, err
		}
		if !slices.Contains(t.columns, mllmuID) || !slices.Contains(t.columns, mllmuMetadata) {
			f.Dropped = append(f.Dropped, trainingFolder+": it has no columns ID and metadata; "+
				"the questions of "+fullFolder+" are taken")
			return false, nil
		}
		f.tables = append(f.tables, path)
		trained = true
		err = t.each([]string{mllmuID, mllmuMetadata}, func(_ int, cells []string) error {
			var questions []struct{ Question, Answer string }
			if err := json.Unmarshal([]byte(cells[1]), &questions); err != nil {
				return fmt.Errorf("metadata is not a list of questions: %v", err)
			}
			if cells[0] == "" {
				return errors.New("the ID is empty")
			}
			person := f.person(cells[0])
			for i, q := range questions {
				f.learn(fmt.Sprintf("%s-%s-%d", trainingFolder, cells[0], i), person, q.Question, q.Answer)
			}
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	return trained, nil
}

// readSets reads the folders that list the people to forget or to retain.
func (f *Folder) readSets() error {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Dir, safefile.WithoutPath(err))
	}
	for _, entry := range entries {
		if !setFolder.MatchString(entry.Name()) {
			continue
		}
		for _, path := range parquetIn(filepath.Join(f.Dir, entry.Name())) {
			f.tables = append(f.tables, path)
			t := &table{path: path}
			err := t.each([]string{mllmuID}, func(_ int, cells []string) error {
				at, known := f.ids[cells[0]]
				if !known {
					return fmt.Errorf("the ID %q is not in %s", cells[0], fullFolder)
				}
				f.People[at].Sets = append(f.People[at].Sets, entry.Name())
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
