package imagefolder

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// shards holds the paths of a split's Parquet files, in order. It reads the layout with these files.
type shards []string

// Names of the columns that hold a picture.
const (
	columnBytes = "image.bytes"
	columnPath  = "image.path"
)

// shardName matches the name of a Parquet file of a split. The Hugging Face hub appends a hash to some names.
var shardName = regexp.MustCompile(`^(.+)-\d{5}-of-(\d{5})(?:-[0-9a-f]+)?\.parquet$`)

// findParquet returns the files of a split in dir or in dir/data.
func findParquet(dir, split string) (shards, error) {
	for _, folder := range []string{dir, filepath.Join(dir, "data")} {
		entries, _ := os.ReadDir(folder) // an unreadable folder counts as empty
		splits, expected := map[string]shards{}, map[string]int{}
		for _, entry := range entries {
			if !strings.HasSuffix(entry.Name(), ".parquet") || entry.IsDir() {
				continue
			}
			name := ""
			if parts := shardName.FindStringSubmatch(entry.Name()); parts != nil {
				name = parts[1]
				expected[name], _ = strconv.Atoi(parts[2]) // five digits
			}
			splits[name] = append(splits[name], filepath.Join(folder, entry.Name()))
		}
		if len(splits) == 0 {
			continue
		}
		names := slices.Sorted(maps.Keys(splits))
		if split == "" && len(names) == 1 {
			split = names[0]
		}
		files, has := splits[split]
		if !has {
			return nil, fmt.Errorf("read %s: it has the splits %q; name one of them", folder, names)
		}
		if want := expected[split]; want != 0 && want != len(files) {
			return nil, fmt.Errorf("read %s: the split %q has %d of %d files; download it again", folder, split,
				len(files), want)
		}
		return files, nil
	}
	return nil, fmt.Errorf("read %s: it has neither metadata.jsonl nor Parquet files", dir)
}

func (s shards) check(caption string) error {
	for _, path := range s {
		rows, err := safefile.OpenParquet(path, columnBytes, columnPath, caption)
		if err != nil {
			return err
		}
		rows.Close()
	}
	return nil
}

func (s shards) samples(caption string, yield func(Sample, error) bool) {
	for _, path := range s {
		if err := samplesOf(path, caption, yield); err == errEnough {
			return
		} else if err != nil {
			yield(Sample{}, err)
			return
		}
	}
}

func samplesOf(path, caption string, yield func(Sample, error) bool) error {
	rows, err := safefile.OpenParquet(path, columnBytes, columnPath, caption)
	if err != nil {
		return err
	}
	defer rows.Close()
	return rows.Each(func(row int, cells []safefile.Cell) error {
		content, name, text, number := cells[0], cells[1].Text(), cells[2], row+1
		if content.Null() {
			return fmt.Errorf("read %s: row %d: the image %.80q is not in the file", path, number, name)
		}
		if text.Null() {
			return fmt.Errorf("read %s: row %d: the column %q is empty", path, number, caption)
		}
		picture, err := safefile.DecodeImage(content.Bytes())
		if err != nil {
			return fmt.Errorf("read %s: row %d: the image %.80q: %w", path, number, name, err)
		}
		if !yield(Sample{name, text.Text(), picture}, nil) {
			return errEnough
		}
		return nil
	})
}
