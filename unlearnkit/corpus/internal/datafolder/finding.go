package datafolder

import (
	"fmt"
	"slices"
)

// A Finding is one thing that is wrong with a download.
type Finding struct {
	Severity string `json:"severity"` // "error": it cannot be used as it is; "warning": it is not as it should be
	What     string `json:"what"`
}

func (f Finding) String() string { return f.Severity + ": " + f.What }

// Findings are all that a check found.
type Findings []Finding

// Failure adds what keeps a download from being used.
func (f *Findings) Failure(format string, values ...any) {
	*f = append(*f, Finding{"error", fmt.Sprintf(format, values...)})
}

// Warning adds what does not.
func (f *Findings) Warning(format string, values ...any) {
	*f = append(*f, Finding{"warning", fmt.Sprintf(format, values...)})
}

// Usable says whether there are no failures.
func (f Findings) Usable() bool {
	return !slices.ContainsFunc(f, func(f Finding) bool { return f.Severity == "error" })
}
