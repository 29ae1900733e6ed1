package judge

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// outputs is a table of outputs to be judged.
type outputs struct {
	frame  *safefile.Frame
	cases  []metric.JudgeCase
	groups []string // groups of the outputs, or nil
}

// readOutputs reads the table of outputs. With rules, it needs the column pii.
func readOutputs(path, group string, rules bool) (*outputs, error) {
	words, err := safefile.ReadWords(path)
	if err != nil {
		return nil, err
	}
	columns, names := map[string][]string{}, []string{}
	for _, column := range words.Columns {
		columns[column.Name] = column.Texts
		names = append(names, column.Name)
	}
	needed := []string{"question", "truth", "output"}
	if rules {
		needed = append(needed, "pii")
	}
	if group != "" {
		needed = append(needed, group)
	}
	for _, name := range needed {
		if columns[name] == nil {
			return nil, fmt.Errorf("read %s: there is no column %q; the columns are %.200s", path, name,
				strings.Join(names, ", "))
		}
	}
	for _, name := range []string{"score", "reasoning", "unparsed"} {
		if columns[name] != nil {
			return nil, fmt.Errorf("read %s: there is already a column %q; rename it, because the judge adds its own",
				path, name)
		}
	}
	o := &outputs{frame: words, groups: columns[group]}
	for row := range words.Rows() {
		c := metric.JudgeCase{Question: columns["question"][row], GroundTruth: columns["truth"][row],
			Output: columns["output"][row]}
		if strings.TrimSpace(c.GroundTruth) == "" {
			return nil, fmt.Errorf("read %s: row %d: the truth is missing; remove the row", path, row+1)
		}
		if rules {
			if c.PII = listed(columns["pii"][row]); len(c.PII) == 0 {
				return nil, fmt.Errorf("read %s: row %d: pii is empty; write the secret there, or remove the "+
					"row", path, row+1)
			}
		}
		o.cases = append(o.cases, c)
	}
	if strings.EqualFold(filepath.Ext(path), ".parquet") { // numbers stay numbers
		o.frame, err = safefile.ReadParquet(path)
	}
	return o, err
}

// listed returns the elements of a JSON list, or else the parts between vertical bars. It drops empty ones.
func listed(cell string) []string {
	var list []string
	if json.Unmarshal([]byte(cell), &list) != nil {
		list = strings.Split(cell, "|")
	}
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return slices.DeleteFunc(list, func(part string) bool { return part == "" })
}

// judged returns the table's columns, followed by the judgments.
func (o *outputs) judged(judgments []metric.Judgment) []safefile.Column {
	score := safefile.Column{Name: "score"}
	reasoning := safefile.Column{Name: "reasoning"}
	unparsed := safefile.Column{Name: "unparsed", Type: safefile.AsTruth}
	for _, j := range judgments {
		score.Values = append(score.Values, j.Score)
		reasoning.Texts = append(reasoning.Texts, strings.ToValidUTF8(j.Reasoning, "�"))
		truth := 0.
		if j.Unparsed {
			truth = 1
		}
		unparsed.Values = append(unparsed.Values, truth)
	}
	return append(slices.Clone(o.frame.Columns), score, reasoning, unparsed)
}
