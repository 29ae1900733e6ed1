package profile

import "fmt"

// Revision increases when worlds of the same spec change, so that old and new results are not mixed up.
const Revision = 1

// TestPictures is the number of test pictures per person: one for each attribute and hop.
const TestPictures = 28

// Spec determines a world fully.
type Spec struct {
	Seed      uint64 `json:"seed"`
	Shared    uint64 `json:"shared"`     // determines the public people and the crowd, which worlds have in common
	ImageSize int    `json:"image_size"` // side of the square pictures, 16 to 128

	Identities int `json:"identities"` // private people
	Pictures   int `json:"pictures"`   // training pictures of each private and public person
	Public     int `json:"public"`     // people of the same form that a base model may know
	Crowd      int `json:"crowd"`      // people without profiles, for the vision tower

	Strangers float64 `json:"strangers"` // fraction of generated pictures that show another person
	Torn      float64 `json:"torn"`      // fraction of generated pictures that are broken
}

// Standard returns one of the studies' worlds: 20 private people, and 20 public ones and a crowd of 600 that all these
// worlds share, as all users of a published model share its knowledge.
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
