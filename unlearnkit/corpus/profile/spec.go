package profile

import "fmt"

// Revision must be increased when a spec begins to give a different world, so that old and new results are not mixed
// up.
const Revision = 1

// TestPictures is the number of test pictures per person: one for each attribute and hop.
const TestPictures = 28

// Spec determines a world completely.
type Spec struct {
	Seed      uint64 `json:"seed"`
	Shared    uint64 `json:"shared"`     // seed of the public people and the crowd, which several worlds can share
	ImageSize int    `json:"image_size"` // side of the square pictures in pixels, 16 to 128

	Identities int `json:"identities"` // number of private people
	Pictures   int `json:"pictures"`   // training pictures per private or public person
	Public     int `json:"public"`     // number of public people, whom a base model may know
	Crowd      int `json:"crowd"`      // number of people without profiles, for the vision tower

	Strangers float64 `json:"strangers"` // share of generated pictures that show another person
	Torn      float64 `json:"torn"`      // share of generated pictures that are torn
}

// Standard returns the spec of one of the studies' worlds, with 20 private people. All these worlds share 20 public
// people and a crowd of 600, just as all users of a published model share its knowledge.
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
