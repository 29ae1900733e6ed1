package theme

// Role is what a model is beside the others of a figure. It looks the same in every figure of the laboratory.
type Role uint8

// The roles; the zero value is none, and looks by its place among the series.
const (
	NoRole    Role = iota
	Original       // before unlearning
	Unlearned      // what a method left
	Gold           // trained without what is to be forgotten
	Second         // what another method left, beside the first
	Third
)

// Series is the index of the series whose colour and mark the role has; that of its place without a role.
func (r Role) Series(place int) int {
	return [...]int{place, 0, 1, 4, 2, 3}[r]
}

// MarshalText writes a role into JSON as a word.
func (r Role) MarshalText() ([]byte, error) {
	return []byte([...]string{"", "original", "unlearned", "gold", "second", "third"}[r]), nil
}
