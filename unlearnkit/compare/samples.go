package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// sample is the result of one question in the format of lm-evaluation-harness.
type sample struct {
	id, document, filter string
	metrics              []string           // names of the metrics that the file lists; nil in files of older versions
	numbers              map[string]float64 // all numeric fields
}

// longest is the maximum size of a sample in bytes.
const longest = 64 << 20

// taskFile matches the name of a file with samples, which contains the task and the time of the evaluation.
var taskFile = regexp.MustCompile(`^samples_(.+?)(_\d{4}-\d{2}-\d{2}T[\d.:-]+)?$`)

// readSamples reads a file samples_TASK_TIME.jsonl of lm-evaluation-harness.
func readSamples(path string) ([]Metric, error) {
	if _, err := content(path); err != nil {
		return nil, err
	}
	base := filepath.Base(path)
	task := base[:len(base)-len(filepath.Ext(base))]
	if parts := taskFile.FindStringSubmatch(task); parts != nil {
		task = parts[1]
	}
	var samples []sample
	err := safefile.EachLine(path, longest, func(line []byte) error {
		s, err := parseSample(line)
		samples = append(samples, s)
		return err
	})
	if err != nil {
		return nil, err
	}
	metrics, err := gather(task, samples)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return metrics, nil
}

// readTask reads a task's samples in a log of OpenUnlearning.
func readTask(task string, list json.RawMessage) ([]Metric, error) {
	var lines []json.RawMessage
	if err := json.Unmarshal(list, &lines); err != nil {
		return nil, err
	}
	var samples []sample
	for i, line := range lines {
		s, err := parseSample(line)
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i+1, err)
		}
		samples = append(samples, s)
	}
	return gather(task, samples)
}

// errNotSample is the error for JSON that is not from lm-evaluation-harness.
var errNotSample = errors.New("it has no doc_id; samples of lm-evaluation-harness were expected, as lm_eval " +
	"--log_samples writes them")

func parseSample(line []byte) (sample, error) {
	s := sample{numbers: map[string]float64{}}
	err := safefile.EachField(withoutNaN(line), func(key string, value json.RawMessage) error {
		var err error
		switch key {
		case "doc_id":
			s.id = strings.Trim(string(value), `"`)
		case "doc_hash":
			err = json.Unmarshal(value, &s.document)
		case "filter":
			err = json.Unmarshal(value, &s.filter)
		case "metrics":
			err = json.Unmarshal(value, &s.metrics)
		default:
			if number, ok := numberOf(value); ok && key != "target" {
				s.numbers[key] = number
			} else if truth := string(value); truth == "true" || truth == "false" {
				s.numbers[key] = map[string]float64{"true": 1}[truth]
			}
		}
		if err != nil {
			return fmt.Errorf("%q: %w", key, err)
		}
		return nil
	})
	if err == nil && s.id == "" {
		err = errNotSample
	}
	return s, err
}

// gather returns the metrics of a task. A filter other than none becomes part of the metric's name.
func gather(task string, samples []sample) (metrics []Metric, err error) {
	at, seen := map[string]int{}, map[[2]string]bool{}
	for _, s := range samples {
		for name, value := range s.numbers {
			if s.metrics != nil && !slices.Contains(s.metrics, name) {
				continue
			}
			name = task + "/" + name
			if s.filter != "" && s.filter != "none" {
				name += "," + s.filter
			}
			if seen[[2]string{name, s.id}] {
				return nil, fmt.Errorf("%s: the doc_id %s occurs twice; name the file of one evaluation", name, s.id)
			}
			seen[[2]string{name, s.id}] = true
			place, known := at[name]
			if !known {
				place = len(metrics)
				at[name], metrics = place, append(metrics, Metric{Name: name, Aggregate: math.NaN(),
					Readings: []Reading{{}}, Questions: map[string]string{}, Retained: !strings.HasPrefix(task, "wmdp")})
			}
			m := &metrics[place]
			m.IDs = append(m.IDs, s.id)
			m.Readings[0].Values = append(m.Readings[0].Values, value)
			if s.document != "" {
				m.Questions[s.id] = s.document
			}
		}
	}
	if len(metrics) == 0 {
		return nil, fmt.Errorf("the task %s has no metric with a number for each question", task)
	}
	return metrics, nil
}
