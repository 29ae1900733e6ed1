package speechfolder

import (
	"fmt"
	"os"
	"path/filepath"
)

// looksFor says what of each data set is looked for in a folder.
const looksFor = "data/train_data.csv (Fluent Speech Commands), dataset/slurp/train.jsonl (SLURP), " +
	"hard_speaker_train.json or hard_speaker/train-….parquet (ITALIC), train-….parquet in a folder de-DE or fr-FR " +
	"(Speech-MASSIVE)"

// kindOf finds out which data set a folder holds.
func kindOf(dir string) (Kind, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", dir, withoutPath(err))
	}
	if kind, here := holds(dir); here {
		return kind, nil
	}
	for _, entry := range entries {
		if kind, below := holds(filepath.Join(dir, entry.Name())); below {
			return "", fmt.Errorf("read %s: it holds folders of data sets, such as %s in %s; give one of these", dir,
				kind.Title(), entry.Name())
		}
	}
	return "", fmt.Errorf("read %s: none of the data sets lies in it; looked for %s", dir, looksFor)
}

// holds looks for the table of a data set's train part.
func holds(dir string) (Kind, bool) {
	there := func(name ...string) bool {
		_, err := os.Stat(filepath.Join(append([]string{dir}, name...)...))
		return err == nil
	}
	trains := func(dir string) bool {
		files, err := shards(dir, "train")
		return err != nil || len(files) > 0 // some of several are a mistake to be told
	}
	switch {
	case there("data", "train_data.csv"):
		return FluentSpeechCommands, true
	case there("dataset", "slurp", "train.jsonl"):
		return SLURP, true
	case there(hardSpeaker + "_train.json"), trains(filepath.Join(dir, hardSpeaker)):
		return ITALIC, true
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	for kind, name := range map[Kind]string{ITALIC: hardSpeaker, German: German.locale(), French: French.locale()} {
		if filepath.Base(absolute) == name && trains(dir) {
			return kind, true
		}
	}
	return "", false
}

// levels is how far below a folder data sets are looked for: Speech-MASSIVE/de-DE lies two levels below a folder of
// downloads.
const levels = 2

// Find returns the folders of data sets in dir: dir itself, or those below it. It is dir where there are none, for
// [Check] to say why.
func Find(dir string) []string {
	if found := find(dir, levels); len(found) > 0 {
		return found
	}
	return []string{dir}
}

func find(dir string, levels int) (found []string) {
	if _, here := holds(dir); here {
		return []string{dir}
	}
	if levels == 0 {
		return nil
	}
	entries, _ := os.ReadDir(dir) // Check tells what is wrong
	for _, entry := range entries {
		found = append(found, find(filepath.Join(dir, entry.Name()), levels-1)...)
	}
	return found
}
