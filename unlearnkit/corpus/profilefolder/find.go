package profilefolder

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// looksFor says what of each layout is looked for in a folder.
const looksFor = "full.json (FIUBench), Full_Set with Parquet files (MLLMU-Bench), or files .parquet, .jsonl or " +
	".json with a question a row, here or in data, train or test"

// The files and folders that tell layouts apart.
const (
	fullFile   = "full.json"
	splitFile  = "split.json"
	fullFolder = "Full_Set"
)

// partFolders may hold the files of rows.
var partFolders = []string{".", "data", "train", "test"}

// aside are files of data sets that have no questions in them.
var aside = []string{"dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json", "config.json",
	splitFile}

// kindOf finds out which layout a folder has.
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
	return "", fmt.Errorf("read %s: no data set of people lies in it; looked for %s", dir, looksFor)
}

// holds looks for what tells a layout.
func holds(dir string) (Kind, bool) {
	if _, err := os.Stat(filepath.Join(dir, fullFile)); err == nil {
		return FIUBench, true
	}
	if len(parquetIn(filepath.Join(dir, fullFolder))) > 0 {
		return MLLMU, true
	}
	return Rows, len(rowFiles(dir)) > 0
}

// parquetIn lists the Parquet files of a folder.
func parquetIn(dir string) (files []string) {
	entries, _ := os.ReadDir(dir) // one that cannot be read has none
	for _, entry := range entries {
		if !entry.IsDir() && strings.EqualFold(filepath.Ext(entry.Name()), ".parquet") {
			files = append(files, filepath.Join(dir, entry.Name()))
		}
	}
	return files
}

// rowFiles lists the files with questions: the Parquet files or, where there are none, those of JSON.
func rowFiles(dir string) (files []string) {
	var texts []string
	for _, part := range partFolders {
		entries, _ := os.ReadDir(filepath.Join(dir, part))
		for _, entry := range entries {
			name := strings.ToLower(entry.Name())
			stem, ending := strings.TrimSuffix(name, filepath.Ext(name)), filepath.Ext(name)
			path := filepath.Join(dir, part, entry.Name())
			switch {
			case entry.IsDir() || name[0] == '.' || slices.Contains(profileFiles, stem) || slices.Contains(aside, name):
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

// asks says whether a file of rows in a folder has a column of questions.
func asks(dir string) bool {
	return slices.ContainsFunc(rowFiles(dir), func(path string) bool {
		t, err := peekTable(path)
		return err == nil && t.column(names[question]) != ""
	})
}

// levels is how far below a folder data sets are looked for.
const levels = 2

// Find returns the folders of data sets in dir: dir itself, or those below it. It is dir where there are none, for
// [Check] to say why.
func Find(dir string) []string {
	if found := find(dir, levels); len(found) > 0 {
		return found
	}
	return []string{dir}
}

// find passes over folders with rows of something else.
func find(dir string, levels int) (found []string) {
	if kind, here := holds(dir); here && (kind != Rows || asks(dir)) {
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
