package datafolder

import (
	"fmt"
	"slices"
)

// A Finding is one problem with a download.
type Finding struct {
	Severity string `json:"severity"`        // "error" if the download is unusable; "warning" if it has unexpected content
	Where    string `json:"where,omitempty"` // path relative to the folder, if What does not name it
	What     string `json:"what"`
}

func (f Finding) String() string {
	if f.Where != "" {
		return f.Severity + ": " + f.Where + ": " + f.What
	}
	return f.Severity + ": " + f.What
}

// FailureAt returns a problem at a path that makes a download unusable.
func FailureAt(where, format string, values ...any) Finding {
	return Finding{"error", where, fmt.Sprintf(format, values...)}
}

// WarningAt returns a problem at a path that does not prevent the use of a download.
func WarningAt(where, format string, values ...any) Finding {
	return Finding{"warning", where, fmt.Sprintf(format, values...)}
}

// Findings holds the problems found by a check.
type Findings []Finding

// Failure adds a problem that makes a download unusable.
func (f *Findings) Failure(format string, values ...any) {
	*f = append(*f, FailureAt("", format, values...))
}

// Warning adds a problem that does not prevent the use of a download.
func (f *Findings) Warning(format string, values ...any) {
	*f = append(*f, WarningAt("", format, values...))
}

// mostCases is the largest number of cases of one kind that are reported, which are enough to decide what to do.
const mostCases = 5

// Cases adds the first cases of one kind of problem, and the number of the others, which more explains.
func (f *Findings) Cases(cases Findings, more string) {
	rest := len(cases) - mostCases
	if rest <= 0 {
		*f = append(*f, cases...)
		return
	}
	*f = append(*f, cases[:mostCases]...)
	*f = append(*f, Finding{cases[0].Severity, cases[0].Where, fmt.Sprintf("%d more %s", rest, more)})
}

// Usable reports whether no finding is an error.
func (f Findings) Usable() bool {
	return !slices.ContainsFunc(f, func(f Finding) bool { return f.Severity == "error" })
}
