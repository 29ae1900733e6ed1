package train

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Log holds the steps of a training in order.
type Log []Step

// columnOrder is the order of a log's columns in files.
var columnOrder = []string{"loss", "norm", "rate", "examples"}

func (l Log) columns() map[string][]float64 {
	columns := map[string][]float64{}
	for _, name := range columnOrder {
		columns[name] = make([]float64, len(l))
	}
	for i, s := range l {
		columns["loss"][i], columns["norm"][i], columns["rate"][i], columns["examples"][i] = s.Loss, s.Norm, s.Rate,
			float64(s.Examples)
	}
	return columns
}

// logFrom inverts columns.
func logFrom(columns map[string][]float64) (Log, error) {
	log := make(Log, len(columns["loss"]))
	for _, name := range columnOrder {
		if len(columns[name]) != len(log) {
			return nil, fmt.Errorf("the log's column %q has %d steps, the column %q %d", name, len(columns[name]),
				"loss", len(log))
		}
	}
	for i := range log {
		log[i] = Step{columns["loss"][i], columns["norm"][i], columns["rate"][i], int(columns["examples"][i])}
	}
	return log, nil
}

// Examples returns the number of examples seen, counting repetitions.
func (l Log) Examples() int {
	examples := 0
	for _, s := range l {
		examples += s.Examples
	}
	return examples
}

// logRow is one step in the file. Losses are computed in float32; norms and rates are not.
type logRow struct {
	Step     int32   `parquet:"step"`
	Loss     float32 `parquet:"loss"`
	Norm     float64 `parquet:"norm"`
	Rate     float64 `parquet:"rate"`
	Examples int32   `parquet:"examples,dict"`
}

// WriteParquet writes one row per step: step, loss, norm, rate, examples.
func (l Log) WriteParquet(path string) error {
	rows := make([]logRow, len(l))
	for i, step := range l {
		rows[i] = logRow{int32(i + 1), float32(step.Loss), step.Norm, step.Rate, int32(step.Examples)}
	}
	return safefile.WriteRows(path, rows)
}
