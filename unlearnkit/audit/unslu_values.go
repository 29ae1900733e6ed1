package audit

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// A GUMValue is a printed GUM of UnSLU-BENCH with two recomputed values, one for each definition of the utility. Both
// use the retraining time of the column that best explains the printed values with accuracy as the utility.
type GUMValue struct {
	Column   string  `json:"column"` // data set and model, such as "ITALIC/XLS-R 53-IT"
	Row      string  `json:"row"`    // unlearning method
	Printed  float64 `json:"printed"`
	Accuracy float64 `json:"accuracy"` // recomputed with test accuracy as the utility
	F1       float64 `json:"f1"`       // recomputed with macro F1 as the utility, as in the text
}

// GUMValues returns the values of Tables 1 to 3 in page order.
func GUMValues() ([]GUMValue, error) {
	l, err := openLedger("unslu")
	if err != nil {
		return nil, err
	}
	var values []GUMValue
	for _, item := range []string{"table1", "table2", "table3"} {
		for _, column := range unsluTables[item] {
			accuracies, scores := l.gumRows(item, column, metric.GUMOnAccuracy), l.gumRows(item, column, metric.GUMOnF1)
			seconds := fitRetraining(accuracies, metric.GUMOnAccuracy)
			for i, r := range accuracies {
				values = append(values,
					GUMValue{column, r.method, r.Printed, r.At(seconds, metric.GUMOnAccuracy).GUM,
						scores[i].At(seconds, metric.GUMOnF1).GUM})
			}
		}
	}
	return values, nil
}
