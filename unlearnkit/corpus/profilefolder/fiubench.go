package profilefolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// usedOfFIUBench is the number of people at the start of full.json that the benchmark's code uses.
const usedOfFIUBench = 400

// fiuQuestion is a question of FIUBench. A field that may be a string or a list of strings is a RawMessage.
type fiuQuestion struct {
	Question   string          `json:"question"`
	Answer     string          `json:"answer"`
	Keywords   json.RawMessage `json:"keywords"`
	Paraphrase json.RawMessage `json:"paraphrased_question"`
}

// readFIUBench reads full.json and split.json. All questions go to the training split, and their paraphrases to
// [profile.Paraphrase].
func (f *Folder) readFIUBench() error {
	path := filepath.Join(f.Dir, fullFile)
	f.tables = append(f.tables, path)
	left := 0
	err := eachObject(path, func(object map[string]json.RawMessage) error {
		if len(f.People) == usedOfFIUBench {
			left++
			return nil
		}
		for _, needed := range []string{"unique_id", "image_path", "qa_list"} {
			if len(object[needed]) == 0 {
				return fmt.Errorf("there is no %s", needed)
			}
		}
		return f.addPerson(path, object)
	})
	if err != nil {
		return err
	}
	if left > 0 {
		f.Dropped = append(f.Dropped, fmt.Sprintf("%d people after the first %d, whom the benchmark's code leaves out",
			left, usedOfFIUBench))
	}
	return f.readSplit(filepath.Join(f.Dir, splitFile))
}

// addPerson adds a person and all questions about them.
func (f *Folder) addPerson(path string, object map[string]json.RawMessage) error {
	id := textOf(object["unique_id"])
	if _, twice := f.ids[id]; id == "" || twice {
		return fmt.Errorf("the unique_id %q is empty or another's", id)
	}
	var questions []fiuQuestion
	if err := json.Unmarshal(object["qa_list"], &questions); err != nil {
		return fmt.Errorf("qa_list of %s: %v", id, err)
	}
	at, err := f.pictures.locate(path, textOf(object["image_path"]))
	if err != nil {
		return err
	}
	person := f.person(id)
	f.pictures.add(person, place{path: at, row: -1})
	p := &f.People[person]
	p.About = textOf(object["caption"])
	for a, field := range map[profile.Attribute]string{profile.FullName: "name", profile.Gender: "gender"} {
		if value := strings.TrimSpace(textOf(object[field])); value != "" {
			p.Facts[a] = value
		}
	}
	for i, q := range questions {
		id := fmt.Sprintf("%s-%d", id, i)
		f.ask(id, person, profile.Train, q.Question, q)
		for k, words := range listOf(textOf(q.Paraphrase)) {
			f.ask(fmt.Sprintf("%s-%d", id, k), person, profile.Paraphrase, words, q)
		}
	}
	return nil
}

// ask adds a question with given words.
func (f *Folder) ask(id string, person int, split profile.Split, words string, q fiuQuestion) {
	r := Record{Record: profile.Record{ID: id, Identity: person, Split: split,
		Hop:      hopIn(words, f.People[person].Name()),
		Question: strings.TrimSpace(words), Answer: strings.TrimSpace(q.Answer)},
		Keywords: listOf(textOf(q.Keywords))}
	if len(r.Keywords) > 0 {
		r.Keyword = r.Keywords[0]
	}
	f.Records = append(f.Records, r)
}

// readSplit reads which people are in which sets of the benchmark.
func (f *Folder) readSplit(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read %s: the file with the people to forget is missing; download it too", path)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	f.tables = append(f.tables, path)
	var sets map[string][]json.RawMessage
	if err := json.Unmarshal(text, &sets); err != nil {
		return fmt.Errorf("read %s: not lists of unique_id by the sets' names: %v", path, err)
	}
	for set, ids := range sets {
		for _, id := range ids {
			at, known := f.ids[textOf(id)]
			if !known {
				f.Dropped = append(f.Dropped, fmt.Sprintf("%s of %s, who is nobody in %s", textOf(id), set, fullFile))
				continue
			}
			f.People[at].Sets = append(f.People[at].Sets, set)
		}
	}
	slices.Sort(f.Dropped)
	for i := range f.People {
		slices.Sort(f.People[i].Sets)
	}
	return nil
}
