package concept

import "fmt"

// Revision must be increased when a spec begins to give a different world, so that old and new results are not mixed
// up.
const Revision = 0

// Spec determines a world completely: on the same kind of processor, equal specs give equal captions and pixels.
type Spec struct {
	Seed      uint64 `json:"seed"`
	ImageSize int    `json:"image_size"` // side of the square pictures in pixels, 32 to 128

	// number of captioned pictures for the diffusion model, before some are left out
	Train           int `json:"train"`
	ClassifierTrain int `json:"classifier_train"` // number of pictures for training the classifier that labels samples
	ClassifierTest  int `json:"classifier_test"`

	// Without is the concept whose pictures are left out of the diffusion model's training set. The classifier's
	// pictures include it, because the classifier must recognise the concept.
	Without Concept `json:"without,omitzero"`
	// Said defines how captions use the missing concept's word.
	Said Company `json:"said,omitempty"`
}

// Small returns the spec of the study's world.
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
