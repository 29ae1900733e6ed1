package datafolder

import (
	"fmt"
	"slices"
)

// A Finding is one problem with a download.
type Finding struct {
	Severity string `json:"severity"` // "error" if the download is unusable; "warning" if it has unexpected content
	What     string `json:"what"`
}

func (f Finding) String() string { return f.Severity + ": " + f.What }

// Findings holds the problems found by a check.
type Findings []Finding

// Failure adds a problem that makes a download unusable.
func (f *Findings) Failure(format string, values ...any) {
	*f = append(*f, Finding{"error", fmt.Sprintf(format, values...)})
}

// Warning adds a problem that does not prevent the use of a download.
func (f *Findings) Warning(format string, values ...any) {
	*f = append(*f, Finding{"warning", fmt.Sprintf(format, values...)})
}

// Usable reports whether no finding is an error.
func (f Findings) Usable() bool {
	return !slices.ContainsFunc(f, func(f Finding) bool { return f.Severity == "error" })
}
