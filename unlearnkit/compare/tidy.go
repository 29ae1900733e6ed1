package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Schema explains the format of tidy tables.
const Schema = `A tidy table is a .csv, .tsv or .parquet file of one run, with one row per question and metric:

  id        name of the question; the same in the files to compare
  metric    name of the metric; a name that begins with retain_ measures retained knowledge
  value     number; empty if the question has none
  group     optional: what the question belongs to, such as its author or person
  question  optional: its text or hash; different texts for the same id are refused

For example:

  id,metric,value,group
  q1,forget_recall,.25,Ada
  q2,forget_recall,.5,Ada
  q1,retain_accuracy,1,Bruno
`

// readTidy reads a table with the columns id, metric and value.
func readTidy(path string) (metrics []Metric, err error) {
	frame, err := safefile.ReadWords(path)
	if err != nil {
		return nil, err
	}
	columns := map[string][]string{}
	for _, c := range frame.Columns {
		columns[c.Name] = c.Texts
	}
	for _, name := range []string{"id", "metric", "value"} {
		if columns[name] == nil {
			return nil, fmt.Errorf("read %s: there is no column %q; unlearnlab compare --schema lists the columns", path,
				name)
		}
	}
	at, seen := map[string]int{}, map[[2]string]int{}
	for row, id := range columns["id"] {
		name := columns["metric"][row]
		fail := func(why string) error { return fmt.Errorf("read %s: row %d: %s", path, row+1, why) }
		if id == "" || name == "" {
			return nil, fail("the id or the metric is empty; fill it in, or remove the row")
		}
		if first := seen[[2]string{id, name}]; first > 0 {
			return nil, fail(fmt.Sprintf("the id %.80q has a value of %.80q in row %d already; remove one", id, name,
				first))
		}
		seen[[2]string{id, name}] = row + 1
		value, err := tidyValue(columns["value"][row])
		if err != nil {
			return nil, fail(err.Error())
		}
		place, known := at[name]
		if !known {
			place = len(metrics)
			at[name], metrics = place, append(metrics, Metric{Name: name, Aggregate: math.NaN(),
				Readings: []Reading{{}}, Questions: map[string]string{}, Retained: retained(name)})
		}
		m := &metrics[place]
		m.IDs, m.Readings[0].Values = append(m.IDs, id), append(m.Readings[0].Values, value)
		if groups := columns["group"]; groups != nil {
			m.Groups = append(m.Groups, groups[row])
		}
		if texts := columns["question"]; texts != nil {
			m.Questions[id] = letters(texts[row])
		}
	}
	return metrics, nil
}

func tidyValue(text string) (float64, error) {
	switch strings.ToLower(text) {
	case "", "nan", "na", "null", "none":
		return math.NaN(), nil
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(value, 0) {
		return 0, fmt.Errorf("the value %.40q is not a number", text)
	}
	return value, nil
}
