package salmu

import "fmt"

// Splits of scores beside those of the corpus.
const (
	Objects      = "object_test"
	GapReal      = "gap_real"      // portraits of the second style against captions that fit all
	GapGenerated = "gap_generated" // sensitive portraits against the same
)

// ScoresFile is the name of the scores of a model after so many passes, 0 for a base model.
func ScoresFile(budget int) string {
	if budget == 0 {
		return "scores.parquet"
	}
	return fmt.Sprintf("scores-%dx.parquet", budget)
}
