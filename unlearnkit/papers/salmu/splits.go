package salmu

import "fmt"

// Objects is the split of the scores of objects, beside those of the corpus.
const Objects = "object_test"

// GapFile has the scores of a base model's domain gap.
const (
	GapFile      = "gap.parquet"
	GapReal      = "gap_real"      // portraits of the second style against captions that fit all
	GapGenerated = "gap_generated" // sensitive portraits against the same
	// the same of people of whom no model has seen a picture, where the world has some
	GapUnseenReal      = "gap_unseen_real"
	GapUnseenGenerated = "gap_unseen_generated"
)

// ScoresFile is the name of the scores of a model after so many passes, 0 for a base model.
func ScoresFile(budget int) string {
	if budget == 0 {
		return "scores.parquet"
	}
	return fmt.Sprintf("scores-%dx.parquet", budget)
}
