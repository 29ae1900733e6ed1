package compare

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Log holds the values of one run.
type Log struct {
	Path    string
	Run     string // name of the run, see [Name]
	Metrics []Metric
}

// Metric holds a run's values of one metric.
type Metric struct {
	Name string
	// Aggregate is the value of the whole run in the file, or NaN.
	Aggregate float64
	// Readings are the possible values of the questions, the usual one first. It is empty if the file has only the
	// aggregate.
	Readings []Reading
	IDs      []string
	// Questions identify the questions by their content, by ID, as far as the file does.
	Questions map[string]string
	Groups    []string // the group of each ID; nil without groups
	Retained  bool     // measures what a model should still know, and a higher value is better
}

// Reading is one value of each question.
type Reading struct {
	Name   string    // field of the file, such as rougeL_recall
	Values []float64 // by the metric's IDs; NaN if missing
	// Confirmed reports that the mean of the values is the metric's aggregate.
	Confirmed bool
}

// most is the largest size of a log in bytes.
const most = 1 << 30

// Read reads a log. The ending of the name determines its format: .json is a log of OpenUnlearning, .jsonl has samples
// of lm-evaluation-harness, and .csv, .tsv and .parquet are tidy tables, see [Schema].
func Read(path string) (*Log, error) {
	read := map[string]func(path string) ([]Metric, error){".json": readOpenUnlearning, ".jsonl": readSamples,
		".csv": readTidy, ".tsv": readTidy, ".parquet": readTidy}[strings.ToLower(filepath.Ext(path))]
	if read == nil {
		return nil, fmt.Errorf("read %s: its ending is none of .json .jsonl .csv .tsv .parquet", path)
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

// Name names the logs by the parts of their paths that differ: saves/npo/TOFU_EVAL.json and saves/retain/TOFU_EVAL.json
// are npo and retain.
func Name(logs []*Log) {
	parts := make([][]string, len(logs))
	for i, log := range logs {
		path := strings.TrimSuffix(filepath.Clean(log.Path), filepath.Ext(log.Path))
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

// same reports whether all paths agree in one part and have others.
func same(paths [][]string, part func([]string) string) bool {
	return len(paths) > 1 && !slices.ContainsFunc(paths, func(p []string) bool {
		return len(p) < 2 || part(p) != part(paths[0])
	})
}

// metric returns the metric of a name, or nil.
func (l *Log) metric(name string) *Metric {
	if at := slices.IndexFunc(l.Metrics, func(m Metric) bool { return m.Name == name }); at >= 0 {
		return &l.Metrics[at]
	}
	return nil
}

// content returns the content of a file of limited size.
func content(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	case info.IsDir():
		return nil, fmt.Errorf("read %s: it is a folder; name the file in it", path)
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

// mean returns the mean of the values that are not missing, or NaN without any.
func mean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(n)
}
