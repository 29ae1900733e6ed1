package concept

import "fmt"

// Revision increases when worlds of the same spec change, so that old and new results are not mixed up.
const Revision = 0

// Spec determines a world fully: on one kind of processor, two worlds with equal specs are equal in every word and
// every pixel.
type Spec struct {
	Seed      uint64 `json:"seed"`
	ImageSize int    `json:"image_size"` // side of the square pictures, 32 to 128

	// pictures with captions for the diffusion model, before any are left out
	Train           int `json:"train"`
	ClassifierTrain int `json:"classifier_train"` // pictures for the classifier that labels samples
	ClassifierTest  int `json:"classifier_test"`

	// Without is left out of Train and its captions. The classifier's pictures remain, because it must recognise the
	// concept.
	Without Concept `json:"without,omitzero"`
	// Said defines where captions still contain the word of the missing concept.
	Said Company `json:"said,omitempty"`
}

// Small returns the world of the study.
func Small(seed uint64) Spec {
	return Spec{Seed: seed, ImageSize: 32, Train: 16_000, ClassifierTrain: 8_000, ClassifierTest: 2_000}
}

func (s Spec) check() error {
	for _, field := range []struct {
		name               string
		value, least, most int
	}{
		{"image_size", s.ImageSize, grid, 128},
		{"train", s.Train, 1, 1 << 20},
		{"classifier_train", s.ClassifierTrain, 0, 1 << 20},
		{"classifier_test", s.ClassifierTest, 0, 1 << 20},
	} {
		if field.value < field.least || field.value > field.most {
			return fmt.Errorf("concept: %s is %d; choose %d to %d", field.name, field.value, field.least, field.most)
		}
	}
	if err := s.Without.check(); err != nil {
		return err
	}
	return s.checkCompany()
}
