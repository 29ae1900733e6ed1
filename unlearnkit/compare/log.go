package compare

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Log holds the values of one run by metric and question.
type Log struct {
	Path    string
	Run     string // name of the run, set by [Name]
	Metrics []Metric
	folder  bool // Path is a folder
}

// Metric holds a run's values of one metric.
type Metric struct {
	Name string
	// Aggregate is the metric's value for the whole run, as the file states it. It is NaN if the file omits it.
	Aggregate float64
	// Readings are the fields that could be the value of a question, the most common first. It is empty if the file has
	// only the aggregate.
	Readings []Reading
	IDs      []string
	// Questions maps IDs to the content of the questions, for those whose content is in the file.
	Questions map[string]string
	Groups    []string // group of each ID; nil if there are no groups
	Retained  bool     // the metric measures what a model should still know, and higher is better
}

// Reading holds one field of all questions.
type Reading struct {
	Name   string    // name of the field, such as rougeL_recall
	Values []float64 // value for each ID of the metric; NaN if missing
	// Confirmed reports whether the mean of the values equals the metric's aggregate.
	Confirmed bool
}

// most is the maximum size of a log in bytes.
const most = 1 << 30

// Read reads a log. The format follows from the file's extension: .json is a log of OpenUnlearning, .jsonl has samples
// of lm-evaluation-harness, and .csv, .tsv and .parquet are tidy tables, see [Schema].
//
// A folder is one run: all samples and all logs of OpenUnlearning in it, see [readFolder].
func Read(path string) (*Log, error) {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("read %s: there is no such file or folder", path)
	case err == nil && info.IsDir():
		return readFolder(path)
	}
	read := map[string]func(path string) ([]Metric, error){".json": readOpenUnlearning, ".jsonl": readSamples,
		".csv": readTidy, ".tsv": readTidy, ".parquet": readTidy}[strings.ToLower(filepath.Ext(path))]
	if read == nil {
		return nil, fmt.Errorf("read %s: its ending must be .json, .jsonl, .csv, .tsv or .parquet", path)
	}
	metrics, err := read(path)
	if err != nil {
		return nil, err
	}
	if len(metrics) == 0 {
		return nil, fmt.Errorf("read %s: it has no metrics", path)
	}
	slices.SortFunc(metrics, func(a, b Metric) int { return strings.Compare(a.Name, b.Name) })
	return &Log{Path: path, Run: path, Metrics: metrics}, nil
}

// readFolder reads the run of a folder, including its subfolders: the files samples_TASK_TIME.jsonl of
// lm-evaluation-harness and NAME_EVAL.json of OpenUnlearning. A metric that two files have is an error.
func readFolder(folder string) (*Log, error) {
	log, from := &Log{Path: folder, Run: folder, folder: true}, map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !ofRun(entry.Name()) {
			return err
		}
		part, err := Read(path)
		if err != nil {
			return err
		}
		for _, m := range part.Metrics {
			if other, twice := from[m.Name]; twice {
				return fmt.Errorf("read %s: %s is in %s and in %s; a folder is one run: name the files or folders of one "+
					"evaluation", folder, m.Name, other, path)
			}
			from[m.Name] = path
			log.Metrics = append(log.Metrics, m)
		}
		return nil
	})
	if err == nil && len(log.Metrics) == 0 {
		err = fmt.Errorf("read %s: the folder has no samples_*.jsonl of lm-evaluation-harness and no *_EVAL.json of "+
			"OpenUnlearning", folder)
	}
	slices.SortFunc(log.Metrics, func(a, b Metric) int { return strings.Compare(a.Name, b.Name) })
	return log, err
}

// ofRun reports whether a file in a run's folder is read.
func ofRun(name string) bool {
	return strings.HasSuffix(name, "_EVAL.json") || strings.HasSuffix(name, ".jsonl") && strings.HasPrefix(name, "samples_")
}

// Name sets the names of logs to the parts of their paths that differ. For example, saves/npo/TOFU_EVAL.json and
// saves/retain/TOFU_EVAL.json are named npo and retain.
func Name(logs []*Log) {
	parts := make([][]string, len(logs))
	for i, log := range logs {
		path := filepath.Clean(log.Path)
		if !log.folder {
			path = strings.TrimSuffix(path, filepath.Ext(path))
		}
		parts[i] = strings.Split(filepath.ToSlash(path), "/")
	}
	for same(parts, func(p []string) string { return p[0] }) {
		for i := range parts {
			parts[i] = parts[i][1:]
		}
	}
	for same(parts, func(p []string) string { return p[len(p)-1] }) {
		for i := range parts {
			parts[i] = parts[i][:len(parts[i])-1]
		}
	}
	for i, log := range logs {
		log.Run = strings.Join(parts[i], "/")
	}
}

// same reports whether there are several paths that agree in the given part and have further parts.
func same(paths [][]string, part func([]string) string) bool {
	return len(paths) > 1 && !slices.ContainsFunc(paths, func(p []string) bool {
		return len(p) < 2 || part(p) != part(paths[0])
	})
}

// metric returns the metric with a name, or nil.
func (l *Log) metric(name string) *Metric {
	if at := slices.IndexFunc(l.Metrics, func(m Metric) bool { return m.Name == name }); at >= 0 {
		return &l.Metrics[at]
	}
	return nil
}

// content returns the content of a file, or an error if the file is too large.
func content(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	case info.Size() == 0:
		return nil, fmt.Errorf("read %s: the file is empty", path)
	case info.Size() > most:
		return nil, fmt.Errorf("read %s: %d bytes, at most %d are read", path, info.Size(), most)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	return text, nil
}

// mean returns the mean of the values that are not NaN, or NaN if none exist.
func mean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(n)
}
