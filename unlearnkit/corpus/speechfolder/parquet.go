package speechfolder

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// shardName matches the name of a part's file. The Hugging Face hub appends a hash to some names.
var shardName = regexp.MustCompile(`^([a-z_]+)-\d{5}-of-(\d{5})(?:-[0-9a-f]+)?\.parquet$`)

// shards returns the Parquet files of a part that has one of the given names, in order. It accepts
// train-00000-of-00009.parquet and so on, train.parquet, and train/0000.parquet, as the hub names converted files.
// There may be none.
func shards(dir string, names ...string) ([]string, error) {
	entries, _ := os.ReadDir(dir) // an unreadable folder counts as empty
	var files []string
	expected := 0
	for _, entry := range entries {
		if parts := shardName.FindStringSubmatch(entry.Name()); parts != nil && slices.Contains(names, parts[1]) {
			expected, _ = strconv.Atoi(parts[2]) // the pattern allows only digits
			files = append(files, filepath.Join(dir, entry.Name()))
		} else if whole, is := strings.CutSuffix(entry.Name(), ".parquet"); is && slices.Contains(names, whole) {
			files = append(files, filepath.Join(dir, entry.Name()))
		}
	}
	if expected > 0 && expected != len(files) {
		return nil, fmt.Errorf("read %s: %s has %d of %d files; download it again", dir, names[0], len(files), expected)
	}
	for _, name := range names {
		if len(files) == 0 {
			files, _ = filepath.Glob(filepath.Join(escapeGlob(filepath.Join(dir, name)), "*.parquet"))
		}
	}
	return files, nil
}

// escapeGlob escapes the special characters of glob patterns in a path.
func escapeGlob(path string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(path)
}

// columns lists the possible names of each column. The first existing column is used.
type columns map[field][]string

type field string

const (
	text    field = "text"
	intent  field = "intent"
	speaker field = "speaker"
)

// Columns with the same name in all data sets.
const (
	columnID    = "id"
	columnSound = "audio.bytes"
	columnFile  = "audio.path"
)

// readParquet reads the rows of all parts without the sound. The test files may be missing.
func (t *table) readParquet(c columns, folder, test string) error {
	for _, of := range []struct {
		folder string
		names  []string
		part   *[]speech.Utterance
	}{{folder, []string{"train"}, &t.set.Train}, {folder, []string{"validation", "dev", "devel"}, &t.set.Validation},
		{test, []string{"test"}, &t.set.Test}} {
		paths, err := shards(of.folder, of.names...)
		if err != nil {
			return err
		}
		if len(paths) == 0 && of.names[0] != "test" {
			return fmt.Errorf("read %s: there are no files %s-….parquet", of.folder, of.names[0])
		}
		for _, path := range paths {
			if err := t.readShard(path, c, of.part); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *table) readShard(path string, c columns, part *[]speech.Utterance) error {
	names, err := c.names(path)
	if err != nil {
		return err
	}
	rows, err := safefile.OpenParquet(path, names...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return rows.Each(func(row int, cells []safefile.Cell) error {
		for i, cell := range cells {
			if strings.TrimSpace(cell.Text()) == "" {
				return fmt.Errorf("read %s: row %d: the column %q is empty", path, row+1, names[i])
			}
		}
		u := speech.Utterance{ID: cells[0].Text(), Text: cells[1].Text(), Intent: cells[2].Text(),
			Speaker: cells[3].Text()}
		if err := t.add(part, u, place{path, row}); err != nil {
			return fmt.Errorf("read %s: row %d: %w", path, row+1, err)
		}
		return nil
	})
}

// names returns the names of the columns for ID, text, intent and speaker in a file.
func (c columns) names(path string) ([]string, error) {
	rows, err := safefile.OpenParquet(path, columnID, columnSound, columnFile)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	has := rows.Columns()
	names := []string{columnID}
	for _, f := range []field{text, intent, speaker} {
		i := slices.IndexFunc(c[f], func(name string) bool { return slices.Contains(has, name) })
		if i < 0 {
			return nil, fmt.Errorf("read %s: no column %q; it has %.200s", path, strings.Join(c[f], `" or "`),
				strings.Join(has, ", "))
		}
		names = append(names, c[f][i])
	}
	return names, nil
}
