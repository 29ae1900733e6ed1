package speechfolder

import (
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/internal/datafolder"
)

// looksFor describes in messages what identifies each data set.
const looksFor = "data/train_data.csv (Fluent Speech Commands), dataset/slurp/train.jsonl (SLURP), " +
	"hard_speaker_train.json or hard_speaker/train-….parquet (ITALIC), train-….parquet in a folder de-DE or fr-FR " +
	"(Speech-MASSIVE)"

var layouts = datafolder.Layouts[Kind]{Holds: holds, Title: Kind.Title,
	Nothing: "no known data set is in it; looked for " + looksFor}

// holds returns the data set whose training table is in a folder, or false if there is none.
func holds(dir string) (Kind, bool) {
	there := func(name ...string) bool {
		_, err := os.Stat(filepath.Join(append([]string{dir}, name...)...))
		return err == nil
	}
	trains := func(dir string) bool {
		files, err := shards(dir, "train")
		return err != nil || len(files) > 0 // an incomplete set of files is an error reported later
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

// Find returns the folders with data sets in dir: dir itself, or folders below it. If there are none, it returns dir,
// so that [Check] can explain the error.
func Find(dir string) []string {
	return datafolder.Find(dir, func(dir string) bool {
		_, here := holds(dir)
		return here
	})
}
