package profile

import "fmt"

// Revision is raised whenever worlds of the same spec become others, so that results of the old ones are not taken for
// those of the new.
const Revision = 1

// TestPictures is how many pictures each person has to be tested by: one for each attribute and hop.
const TestPictures = 28

// Spec determines a world fully.
type Spec struct {
	Seed      uint64 `json:"seed"`
	Shared    uint64 `json:"shared"`     // determines the public people and the crowd, which worlds have in common
	ImageSize int    `json:"image_size"` // side of the square pictures, 16 to 128

	Identities int `json:"identities"` // private people
	Pictures   int `json:"pictures"`   // of each private and public person to train with
	Public     int `json:"public"`     // people of the same form whom a base model may know
	Crowd      int `json:"crowd"`      // people without profiles, for the vision tower

	Strangers float64 `json:"strangers"` // share of generated pictures that show somebody else
	Torn      float64 `json:"torn"`      // share of generated pictures that are broken
}

// Standard is one of the worlds of the studies: 20 private people, and 20 public ones and a crowd of 600 that all these
// worlds share, as all users of a published model share what it knows.
func Standard(world uint64) Spec {
	return Spec{Seed: world, ImageSize: 32, Identities: 20, Pictures: 100, Public: 20, Crowd: 600,
		Strangers: .06, Torn: .05}
}

func (s Spec) check() error {
	for _, field := range []struct {
		name               string
		value, least, most int
	}{
		{"image_size", s.ImageSize, 16, 128},
		{"identities", s.Identities, 2, 40},
		{"pictures", s.Pictures, 1, 1000},
		{"public", s.Public, 0, 40},
		{"crowd", s.Crowd, 0, 1000},
	} {
		if field.value < field.least || field.value > field.most {
			return fmt.Errorf("profile: %s is %d; choose %d to %d", field.name, field.value, field.least, field.most)
		}
	}
	for _, rate := range []struct {
		name  string
		value float64
	}{{"strangers", s.Strangers}, {"torn", s.Torn}} {
		if !(rate.value >= 0 && rate.value <= .5) {
			return fmt.Errorf("profile: %s is %g; choose 0 to .5", rate.name, rate.value)
		}
	}
	return nil
}
