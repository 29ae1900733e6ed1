package train

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Log holds the steps of a training in their order.
type Log []Step

// columnOrder is the order of a log's columns in files.
var columnOrder = []string{"loss", "norm", "rate", "examples"}

func (l Log) columns() map[string][]float64 {
	columns := map[string][]float64{}
	for _, name := range columnOrder {
		columns[name] = make([]float64, len(l))
	}
	for i, s := range l {
		columns["loss"][i], columns["norm"][i], columns["rate"][i], columns["examples"][i] = s.Loss, s.Norm, s.Rate, float64(s.Examples)
	}
	return columns
}

// set takes one column; the first makes the log as long as itself.
func (l *Log) set(name string, values []float64) error {
	if *l == nil {
		*l = make(Log, len(values))
	}
	if len(values) != len(*l) {
		return fmt.Errorf("the log's column %q has %d steps, another %d", name, len(values), len(*l))
	}
	for i, value := range values {
		switch s := &(*l)[i]; name {
		case "loss":
			s.Loss = value
		case "norm":
			s.Norm = value
		case "rate":
			s.Rate = value
		case "examples":
			s.Examples = int(value)
		default:
			return fmt.Errorf("the log has a column %q, which is none of %v", name, columnOrder)
		}
	}
	return nil
}

// Examples is the number of examples seen, with repetitions.
func (l Log) Examples() int {
	examples := 0
	for _, s := range l {
		examples += s.Examples
	}
	return examples
}

// WriteParquet writes one row a step: step, loss, norm, rate, examples.
func (l Log) WriteParquet(path string) error {
	steps := make([]float64, len(l))
	for i := range steps {
		steps[i] = float64(i + 1)
	}
	columns, values := []safefile.Column{{Name: "step", Values: steps}}, l.columns()
	for _, name := range columnOrder {
		columns = append(columns, safefile.Column{Name: name, Values: values[name]})
	}
	return safefile.WriteParquet(path, columns)
}
