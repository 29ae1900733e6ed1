package chart

// Verdict states how a score compares with its target.
type Verdict uint8

// The verdicts. The zero value claims nothing.
const (
	Unresolved     Verdict = iota // the interval is too wide to decide
	Matched                       // the score is equivalent to the target
	UnderForgotten                // the model forgot less than the target model
	OverForgotten                 // the model forgot more than the target model
	Equivalent                    // the difference is inside the margin; for scores unrelated to forgetting
	Larger                        // the difference is above the margin
	Smaller                       // the difference is below the margin
	NoVerdict                     // the value is not compared, such as the target's own
)

// Verdicts lists all verdicts in the order of the legend.
var Verdicts = []Verdict{Matched, UnderForgotten, OverForgotten, Equivalent, Larger, Smaller, Unresolved,
	NoVerdict}

// String returns the verdict as tables print it.
func (v Verdict) String() string {
	return [...]string{"unresolved", "matched", "under-forgotten", "over-forgotten", "equivalent", "larger",
		"smaller", "not compared"}[v]
}

// MarshalText encodes a verdict as tables print it, for JSON.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }
