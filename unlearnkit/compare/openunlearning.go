package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// readOpenUnlearning reads a file NAME_EVAL.json or NAME_SUMMARY.json of OpenUnlearning.
func readOpenUnlearning(path string) (metrics []Metric, err error) {
	text, err := content(path)
	if err != nil {
		return nil, err
	}
	text = withoutNaN(text)
	if !json.Valid(text) {
		return nil, fmt.Errorf("read %s: it is not one whole JSON value; an interrupted evaluation leaves such a file: "+
			"evaluate again", path)
	}
	err = safefile.EachField(text, func(name string, value json.RawMessage) error {
		found, err := readMetric(name, value)
		if err != nil {
			return fmt.Errorf("metric %.80q: %w", name, err)
		}
		metrics = append(metrics, found...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	shareQuestions(metrics)
	return metrics, nil
}

// withoutNaN replaces NaN and infinities, which Python writes although JSON does not allow them, by null.
func withoutNaN(text []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
		return text
	}
	var out []byte
	quoted := false
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case quoted && text[i] == '\\' && i+1 < len(text):
			out = append(out, text[i])
			i++
		case text[i] == '"':
			quoted = !quoted
		case quoted:
		case bytes.HasPrefix(rest, []byte("NaN")):
			out, i = append(out, "null"...), i+len("NaN")-1
			continue
		case bytes.HasPrefix(rest, []byte("-Infinity")):
			out, i = append(out, "null"...), i+len("-Infinity")-1
			continue
		case bytes.HasPrefix(rest, []byte("Infinity")):
			out, i = append(out, "null"...), i+len("Infinity")-1
			continue
		}
		out = append(out, text[i])
	}
	return out
}

// errNotLog is the error for JSON that is not from OpenUnlearning.
var errNotLog = errors.New("it has neither agg_value nor value_by_index; a log of OpenUnlearning was expected, such as " +
	"TOFU_EVAL.json")

// readMetric reads a metric, or all metrics of an attack or a task.
func readMetric(name string, value json.RawMessage) ([]Metric, error) {
	m := Metric{Name: name, Aggregate: math.NaN(), Retained: retained(name)}
	if number, ok := numberOf(value); ok { // a summary has only aggregates
		m.Aggregate = number
		return []Metric{m}, nil
	}
	if value[0] == '[' {
		return readTask(name, value)
	}
	if value[0] != '{' {
		return nil, errNotLog
	}
	known := false
	var parts []Metric
	err := safefile.EachField(value, func(key string, value json.RawMessage) (err error) {
		number, isNumber := numberOf(value)
		switch {
		case key == "agg_value" && isNumber:
			m.Aggregate, known = number, true
		case key == "value_by_index" || key == "values_by_index":
			known = true
			err = m.readIndex(value)
		case value[0] == '[':
			parts, err = readTask(key, value)
		case value[0] == '{': // an attack has forgotten and held-out questions
			parts, err = readPart(parts, name+"/"+key, value)
		}
		return err
	})
	if err == nil && !known && len(parts) == 0 {
		err = errNotLog
	}
	if known {
		m.confirm()
		parts = append([]Metric{m}, parts...)
	}
	return parts, err
}

// readPart appends the metrics in one part of an attack.
func readPart(parts []Metric, name string, value json.RawMessage) ([]Metric, error) {
	own, err := readMetric(name, value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return append(parts, own...), nil
}

// numberOf decodes a number, or null as NaN.
func numberOf(value json.RawMessage) (number float64, ok bool) {
	if string(value) == "null" {
		return math.NaN(), true
	}
	return number, json.Unmarshal(value, &number) == nil
}

// readIndex reads the values of the questions into the metric.
func (m *Metric) readIndex(value json.RawMessage) error {
	fields := map[string][]float64{}
	m.Questions = map[string]string{}
	err := safefile.EachField(value, func(id string, value json.RawMessage) error {
		m.IDs = append(m.IDs, id)
		var entry map[string]any
		if err := json.Unmarshal(value, &entry); err != nil {
			return fmt.Errorf("question %.40q: an object or null was expected, not %.40s", id, value)
		}
		for name, value := range entry {
			if truth, is := value.(string); is {
				if name == "ground_truth" {
					m.Questions[id] = letters(truth)
				}
				continue
			}
			at := len(m.IDs) - 1
			for len(fields[name]) < at {
				fields[name] = append(fields[name], math.NaN())
			}
			fields[name] = append(fields[name], averaged(value))
		}
		return nil
	})
	for name, values := range fields {
		for len(values) < len(m.IDs) {
			values = append(values, math.NaN())
		}
		m.Readings = append(m.Readings, Reading{Name: name, Values: values})
	}
	slices.SortFunc(m.Readings, usualFirst)
	return err
}

// averaged returns a number, the mean of a list of numbers, or NaN for other values. The evaluator also averages
// several answers to a question first.
func averaged(value any) float64 {
	switch value := value.(type) {
	case float64:
		return value
	case []any:
		sum := 0.0
		for _, v := range value {
			sum += averaged(v)
		}
		return sum / float64(len(value))
	}
	return math.NaN()
}

// usual lists the fields whose mean is usually the aggregate, the most common first.
var usual = []string{"prob", "score", "rougeL_recall", "rougeL_f1", "rouge1_recall"}

func usualFirst(a, b Reading) int {
	rank := func(r Reading) int {
		if at := slices.Index(usual, r.Name); at >= 0 {
			return at
		}
		return len(usual)
	}
	if d := rank(a) - rank(b); d != 0 {
		return d
	}
	return strings.Compare(a.Name, b.Name)
}

// ratios lists the functions of a truth ratio whose mean may be the aggregate.
var ratios = []struct {
	name string
	of   func(ratio float64) float64
}{
	{"min(ratio, 1/ratio)", func(ratio float64) float64 { return min(ratio, 1/(ratio+1e-10)) }},
	{"max(0, 1-ratio)", func(ratio float64) float64 { return max(0, 1-ratio) }},
}

// confirm marks the readings whose mean equals the aggregate. If none exist, it tries functions of a truth ratio.
func (m *Metric) confirm() {
	if math.IsNaN(m.Aggregate) {
		return
	}
	confirmed := func(values []float64) bool { // attacks compute their aggregate in single precision
		return math.Abs(mean(values)-m.Aggregate) <= 1e-6*max(1, math.Abs(m.Aggregate))
	}
	some := false
	for i, r := range m.Readings {
		m.Readings[i].Confirmed = confirmed(r.Values)
		some = some || m.Readings[i].Confirmed
	}
	if some || len(m.Readings) == 0 || m.Readings[0].Name != "score" {
		return
	}
	for _, ratio := range ratios {
		r := Reading{Name: ratio.name}
		for _, v := range m.Readings[0].Values {
			r.Values = append(r.Values, ratio.of(v))
		}
		r.Confirmed = confirmed(r.Values)
		m.Readings = append(m.Readings, r)
	}
}

// letters returns the letters and digits of a text in lower case, without the spaces, which depend on the tokenizer.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// splits lists the question sets of OpenUnlearning. Their metrics' names begin with these prefixes. The first is the
// forget set.
var splits = []string{"forget_", "retain_", "ra_", "wf_"}

// splitOf returns the question set of a metric. A metric without a known prefix belongs to the forget set.
func splitOf(name string) string {
	for _, split := range splits {
		if strings.HasPrefix(name, split) {
			return split
		}
	}
	return splits[0]
}

// retained reports whether a metric measures knowledge that a model should keep. The probability of wrong answers
// (PERT) does not, because higher values are worse.
func retained(name string) bool {
	return splitOf(name) != splits[0] && !strings.Contains(name, "_PERT_")
}

// ofAuthors reports whether a metric's question set has several questions about each made-up author.
func ofAuthors(name string) bool { return slices.Index(splits, splitOf(name)) < 2 }

// shareQuestions copies question texts to the metrics of the same question set that log none, except holdout metrics.
func shareQuestions(metrics []Metric) {
	known := map[string]map[string]string{}
	for _, m := range metrics {
		if split := splitOf(m.Name); len(m.Questions) > len(known[split]) {
			known[split] = m.Questions
		}
	}
	for i, m := range metrics {
		if len(m.Questions) == 0 && !strings.HasSuffix(m.Name, "/holdout") {
			metrics[i].Questions = known[splitOf(m.Name)]
		}
	}
}
