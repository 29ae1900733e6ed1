package persona

import "fmt"

// Revision must be increased when a spec begins to give a different world, so that old and new results are not mixed
// up.
const Revision = 0

// Spec determines a world completely: on the same kind of processor, equal specs give equal texts and pixels.
type Spec struct {
	Seed      uint64 `json:"seed"`
	ImageSize int    `json:"image_size"` // side of the square pictures in pixels, 16 to 128

	Identities  int `json:"identities"`   // number of sensitive people
	PerIdentity int `json:"per_identity"` // sensitive pictures per person
	Groups      int `json:"groups"`       // 1 to MaxGroups; each has its own skin and hair colours, names and cities
	// split partly forgotten people by attribute instead of by row
	ByAttribute bool   `json:"by_attribute"`
	Candidates  int    `json:"candidates"` // number of pictures generated for a persona before filtering
	Faults      Faults `json:"faults"`

	// additional pictures of sensitive people, with generic captions
	RetainJoint       int `json:"retain_joint"`
	RetainDisjoint    int `json:"retain_disjoint"`     // number of pictures of other generated people
	DisjointPerPerson int `json:"disjoint_per_person"` // pictures per generated person without private facts

	Real            int `json:"real"`              // number of pictures of people in the second style
	RealPerPerson   int `json:"real_per_person"`   // pictures per person in the second style
	ObjectClasses   int `json:"object_classes"`    // number of object classes, up to maxObjectClasses
	ObjectsPerClass int `json:"objects_per_class"` // training pictures per object class
	ObjectTests     int `json:"object_tests"`      // test pictures per object class

	// number of portraits in each style that are used only after training; they show people without other pictures
	Unseen int `json:"unseen,omitempty"`
}

// Mini returns the spec of one of the study's worlds: 64 people with 24 sensitive pictures each, and 8,624 pictures to
// keep.
func Mini(world uint64) Spec {
	return Spec{
		Seed: world, ImageSize: 32,
		Identities: 64, PerIdentity: 24, Groups: 4, Candidates: 70,
		Faults:      Faults{Distorted: .06, Crowded: .05, OtherPerson: .06, Weak: .18, WeakFactor: 5},
		RetainJoint: 256, RetainDisjoint: 768, DisjointPerPerson: 6,
		Real: 1600, RealPerPerson: 2,
		ObjectClasses: 40, ObjectsPerClass: 150, ObjectTests: 25,
	}
}

// Quick returns the spec of the first world, for which base weights are shipped.
func Quick() Spec { return Mini(0) }

// Broader returns the spec with other numbers of object classes and of pictures per class, for more rows to keep.
func (s Spec) Broader(classes, perClass int) Spec {
	s.ObjectClasses, s.ObjectsPerClass = classes, perClass
	return s
}

func (s Spec) check() error {
	for _, field := range []struct {
		name               string
		value, least, most int
	}{
		{"image_size", s.ImageSize, 16, 128},
		{"identities", s.Identities, 4, 400},
		{"per_identity", s.PerIdentity, len(attributes), 96},
		{"groups", s.Groups, 1, MaxGroups},
		{"candidates", s.Candidates, s.PerIdentity, 1000},
		{"retain_joint", s.RetainJoint, 0, 1 << 20},
		{"retain_disjoint", s.RetainDisjoint, 0, 1 << 20},
		{"disjoint_per_person", s.DisjointPerPerson, 1, 1000},
		{"real", s.Real, 0, 1 << 20},
		{"real_per_person", s.RealPerPerson, 1, 1000},
		{"object_classes", s.ObjectClasses, 0, maxObjectClasses},
		{"objects_per_class", s.ObjectsPerClass, 0, 1 << 20},
		{"object_tests", s.ObjectTests, 0, 1 << 20},
		{"unseen", s.Unseen, 0, 1 << 20},
	} {
		if field.value < field.least || field.value > field.most {
			return fmt.Errorf("persona: %s is %d; choose %d to %d", field.name, field.value, field.least, field.most)
		}
	}
	for _, rate := range []struct {
		name  string
		value float64
	}{{"distorted", s.Faults.Distorted}, {"crowded", s.Faults.Crowded}, {"other_person", s.Faults.OtherPerson},
		{"weak", s.Faults.Weak}} {
		if !(rate.value >= 0 && rate.value <= 1) {
			return fmt.Errorf("persona: faults.%s is %g; choose 0 to 1", rate.name, rate.value)
		}
	}
	if !(s.Faults.WeakFactor >= 0) {
		return fmt.Errorf("persona: faults.weak_factor is %g; choose 0 or more", s.Faults.WeakFactor)
	}
	return nil
}

// jointOf returns how many additional pictures of a person have generic captions.
func (s Spec) jointOf(identity int) int {
	share := s.RetainJoint / s.Identities
	if identity < s.RetainJoint%s.Identities {
		share++
	}
	return share
}
