package audit

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// GUMCell is one printed GUM of UnSLU-BENCH and what its formula gives from the other printed numbers under two readings of its utility.
type GUMCell struct {
	Column   string  `json:"column"` // data set and model: "ITALIC/XLS-R 53-IT"
	Row      string  `json:"row"`    // the method
	Printed  float64 `json:"printed"`
	Accuracy float64 `json:"accuracy"` // recomputed with test accuracy as utility
	F1       float64 `json:"f1"`       // recomputed with macro F1, as the text defines it
}

// GUMReadings recomputes the 80 printed GUM values of UnSLU-BENCH's Tables 1 to 3 at the retraining time of each column that explains its accuracy reading.
func GUMReadings() ([]GUMCell, error) {
	l, err := openLedger("unslu")
	if err != nil {
		return nil, err
	}
	var cells []GUMCell
	for _, item := range []string{"table1", "table2", "table3"} {
		for _, column := range unsluTables[item] {
			accuracy, f1 := l.gumRows(item, column, metric.GUMOnAccuracy), l.gumRows(item, column, metric.GUMOnF1)
			seconds := fitRetraining(accuracy, metric.GUMOnAccuracy)
			for i, r := range accuracy {
				cells = append(cells, GUMCell{
					Column: column, Row: r.method, Printed: r.Printed,
					Accuracy: r.At(seconds, metric.GUMOnAccuracy).GUM, F1: f1[i].At(seconds, metric.GUMOnF1).GUM,
				})
			}
		}
	}
	return cells, nil
}

// CRSCell is one concept retrieval score that "Unlearning or Concealment?" tabulates.
type CRSCell struct {
	Row     string  `json:"row"` // the prompt
	Retain  bool    `json:"retain"`
	Printed float64 `json:"printed"`
}

// PrintedCRS returns the 26 scores of the paper's Tables 1 to 3 with the class of their prompt.
func PrintedCRS() ([]CRSCell, error) {
	l, err := openLedger("concealment")
	if err != nil {
		return nil, err
	}
	var cells []CRSCell
	for _, item := range []string{"table1", "table2", "table3"} {
		retained := l.class(item, "Retain", "CRS")
		for _, row := range l.rows(item) {
			c := l.at(item, row, "CRS")
			cells = append(cells, CRSCell{Row: row, Retain: slices.Contains(retained, c), Printed: value(c)})
		}
	}
	return cells, nil
}
