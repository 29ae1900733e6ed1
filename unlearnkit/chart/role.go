package chart

// Role is the role of a model in a comparison. It has the same look in every figure of the laboratory.
type Role uint8

// The roles; the zero value means no role, and its look depends on the place among the series.
const (
	NoRole    Role = iota
	Original       // before unlearning
	Unlearned      // after a method
	Gold           // trained without the data to forget
	Second         // a second method, compared with Unlearned
	Third
)

// Series returns the index of the series whose colour and mark the role has; without a role, it returns place.
func (r Role) Series(place int) int {
	return [...]int{place, 0, 1, 4, 2, 3}[r]
}

// MarshalText writes a role into JSON as a word.
func (r Role) MarshalText() ([]byte, error) {
	return []byte([...]string{"", "original", "unlearned", "gold", "second", "third"}[r]), nil
}
