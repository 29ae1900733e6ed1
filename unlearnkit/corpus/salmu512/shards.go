package salmu512

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/internal/datafolder"
)

// shardName matches the name of a split's file. The Hugging Face hub appends a hash to some names.
var shardName = regexp.MustCompile(`^([a-z_]+)-(\d{5})-of-(\d{5})(?:-[0-9a-f]+)?\.parquet$`)

// listing holds the paths of a folder's files, by split.
type listing struct {
	kind   Kind
	shards map[Split][]string // paths in order
}

// list lists a folder's files. A missing file is a finding. If the folder has files of neither or of both data sets,
// list returns an error.
func list(dir string) (listing, []Finding, error) {
	entries, err := os.ReadDir(filepath.Join(dir, "data"))
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return listing{}, nil, fmt.Errorf("read %s: %w; the folder of a download has "+
			"data/<split>-00000-of-0000N.parquet in it", filepath.Join(dir, "data"), err)
	}
	found := map[Split]map[int]string{}
	counts := map[Split][]int{}
	for _, entry := range entries {
		parts := shardName.FindStringSubmatch(entry.Name())
		if parts == nil || entry.IsDir() {
			continue
		}
		split := Split(parts[1])
		number, _ := strconv.Atoi(parts[2]) // the pattern allows only digits
		of, _ := strconv.Atoi(parts[3])
		if found[split] == nil {
			found[split] = map[int]string{}
		}
		found[split][number] = filepath.Join(dir, "data", entry.Name())
		if !slices.Contains(counts[split], of) {
			counts[split] = append(counts[split], of)
		}
	}
	l := listing{shards: map[Split][]string{}}
	for _, kind := range []Kind{Training, Benchmark} {
		if slices.ContainsFunc(storedSplits[kind], func(s Split) bool { return s != RetainSynth && found[s] != nil }) {
			if l.kind != "" {
				return listing{}, nil,
					fmt.Errorf("read %s: it has splits of both data sets; keep them in two folders", dir)
			}
			l.kind = kind
		}
	}
	if l.kind == "" {
		return listing{}, nil, fmt.Errorf("read %s: no files of the splits %s (training) or %s (benchmark)",
			filepath.Join(dir, "data"), names(storedSplits[Training]), names(storedSplits[Benchmark]))
	}
	var findings []Finding
	for _, split := range storedSplits[l.kind] {
		findings = append(findings, l.order(split, found[split], counts[split])...)
	}
	return l, findings, nil
}

// order sorts the files of a split. It returns findings for missing files.
func (l listing) order(split Split, found map[int]string, counts []int) (findings []Finding) {
	where := filepath.Join("data", string(split))
	switch {
	case len(counts) == 0:
		return []Finding{datafolder.FailureAt(where+"-*.parquet", "the split has no files")}
	case len(counts) > 1:
		return []Finding{datafolder.FailureAt(where+"-*.parquet",
			"files of %v parts are in one folder: remove those of the older download", counts)}
	}
	for number := range counts[0] {
		path, there := found[number]
		if !there {
			findings = append(findings,
				datafolder.FailureAt(fmt.Sprintf("%s-%05d-of-%05d.parquet", where, number, counts[0]), "the file is missing"))
			continue
		}
		l.shards[split] = append(l.shards[split], path)
	}
	return findings
}

func names(splits []Split) string {
	texts := make([]string, len(splits))
	for i, split := range splits {
		texts[i] = string(split)
	}
	return strings.Join(texts, ", ")
}

// Find returns the folders with data sets in dir: dir itself, or the folders in it. If there are none, it returns dir,
// so that [Check] can explain the error.
func Find(dir string) []string {
	if _, err := os.Stat(filepath.Join(dir, "data")); err == nil {
		return []string{dir}
	}
	var found []string
	entries, _ := os.ReadDir(dir) // ignored, because Check reports the error
	for _, entry := range entries {
		below := filepath.Join(dir, entry.Name())
		if _, _, err := list(below); err == nil {
			found = append(found, below)
		}
	}
	if found == nil {
		return []string{dir}
	}
	return found
}
