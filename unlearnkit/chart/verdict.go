package chart

// Verdict is the relation of a score to its target.
type Verdict uint8

// The verdicts; the zero value claims nothing.
const (
	Unresolved     Verdict = iota // the interval is too wide
	Matched                       // equivalent to the target
	UnderForgotten                // forgot too little
	OverForgotten                 // forgot more than the target
	Equivalent                    // for differences unrelated to forgetting: inside the margin
	Larger                        // above the margin
	Smaller                       // below the margin
)

// Verdicts lists all verdicts in the order of a legend.
var Verdicts = []Verdict{Matched, UnderForgotten, OverForgotten, Equivalent, Larger, Smaller, Unresolved}

// String returns the verdict as printed in tables.
func (v Verdict) String() string {
	return [...]string{"unresolved", "matched", "under-forgotten", "over-forgotten", "equivalent", "larger",
		"smaller"}[v]
}

// MarshalText writes a verdict into JSON as printed in tables.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }
