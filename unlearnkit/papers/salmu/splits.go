package salmu

import "fmt"

// Objects is the split with the scores of objects, in addition to the splits of the data.
const Objects = "object_test"

// GapFile is the name of the file with the scores of a base model's domain gap. The other constants are its splits.
const (
	GapFile      = "gap.parquet"
	GapReal      = "gap_real"      // portraits of the second style, with captions that fit every portrait
	GapGenerated = "gap_generated" // sensitive portraits with the same captions
	// The same two kinds of portraits, but no model was trained on their people. Only some worlds have such portraits.
	GapUnseenReal      = "gap_unseen_real"
	GapUnseenGenerated = "gap_unseen_generated"
)

// ScoresFile returns the file name of a model's scores after some passes. The budget is 0 for a base model.
func ScoresFile(budget int) string {
	if budget == 0 {
		return "scores.parquet"
	}
	return fmt.Sprintf("scores-%dx.parquet", budget)
}
