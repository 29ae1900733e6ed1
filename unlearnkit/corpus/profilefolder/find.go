package profilefolder

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/internal/datafolder"
)

// looksFor describes in messages what identifies each layout.
const looksFor = "full.json (FIUBench), Full_Set with Parquet files (MLLMU-Bench), or files .parquet, .jsonl or " +
	".json with a question a row, here or in data, train or test"

// Files and folders that identify layouts.
const (
	fullFile   = "full.json"
	splitFile  = "split.json"
	fullFolder = "Full_Set"
)

// partFolders are the folders that may contain files with questions.
var partFolders = []string{".", "data", "train", "test"}

// ignoredFiles lists common files in data sets that contain no questions.
var ignoredFiles = []string{"dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json", "config.json",
	splitFile}

var layouts = datafolder.Layouts[Kind]{Holds: holds, Title: Kind.Title,
	Nothing: "no data set of people is in it; looked for " + looksFor}

// holds returns the layout of a folder, or false if it has none.
func holds(dir string) (Kind, bool) {
	if _, err := os.Stat(filepath.Join(dir, fullFile)); err == nil {
		return FIUBench, true
	}
	if len(parquetIn(filepath.Join(dir, fullFolder))) > 0 {
		return MLLMU, true
	}
	return Rows, len(rowFiles(dir)) > 0
}

// parquetIn returns the paths of a folder's Parquet files.
func parquetIn(dir string) (files []string) {
	entries, _ := os.ReadDir(dir) // an unreadable folder counts as empty
	for _, entry := range entries {
		if !entry.IsDir() && strings.EqualFold(filepath.Ext(entry.Name()), ".parquet") {
			files = append(files, filepath.Join(dir, entry.Name()))
		}
	}
	return files
}

// rowFiles returns the files with questions: the Parquet files or, if there are none, the JSON files.
func rowFiles(dir string) (files []string) {
	var texts []string
	for _, part := range partFolders {
		entries, _ := os.ReadDir(filepath.Join(dir, part))
		for _, entry := range entries {
			name := strings.ToLower(entry.Name())
			stem, ending := strings.TrimSuffix(name, filepath.Ext(name)), filepath.Ext(name)
			path := filepath.Join(dir, part, entry.Name())
			switch {
			case entry.IsDir() || name[0] == '.' || slices.Contains(profileFiles, stem) ||
				slices.Contains(ignoredFiles, name):
			case ending == ".parquet":
				files = append(files, path)
			case ending == ".json", ending == ".jsonl":
				texts = append(texts, path)
			}
		}
	}
	if len(files) == 0 {
		return texts
	}
	return files
}

// hasQuestions reports whether any file of a folder has a column for questions.
func hasQuestions(dir string) bool {
	return slices.ContainsFunc(rowFiles(dir), func(path string) bool {
		t, err := peekTable(path)
		return err == nil && t.column(names[question]) != ""
	})
}

// Find returns the folders with data sets in dir: dir itself, or folders below it. If there are none, it returns dir,
// so that [Check] can explain the error. It skips folders whose files have no questions.
func Find(dir string) []string {
	return datafolder.Find(dir, func(dir string) bool {
		kind, here := holds(dir)
		return here && (kind != Rows || hasQuestions(dir))
	})
}
