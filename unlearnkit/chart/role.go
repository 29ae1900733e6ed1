package chart

// Role is the role of a model in a comparison. A role has the same colour and mark in all figures.
type Role uint8

// The roles. The zero value means no role; the colour and mark then depend on the position among the series.
const (
	NoRole    Role = iota
	Original       // model before unlearning
	Unlearned      // model after unlearning by a method
	Gold           // model trained without the data to forget
	Second         // model after another method, compared with Unlearned
	Third
)

// Series returns the index of the series whose colour and mark the role uses. Without a role, it returns place.
func (r Role) Series(place int) int {
	return [...]int{place, 0, 1, 4, 2, 3}[r]
}

// MarshalText encodes a role as a word, for JSON.
func (r Role) MarshalText() ([]byte, error) {
	return []byte([...]string{"", "original", "unlearned", "gold", "second", "third"}[r]), nil
}
