package salmu512

import (
	"fmt"
	"io"
)

// Name returns the name under which the store registers the data set.
func (r *Report) Name() string { return r.Kind.Name() }

// Usable reports whether the data set has no errors. Warnings are possible.
func (r *Report) Usable() bool { return r.OK }

// Write prints the report as text.
func (r *Report) Write(w io.Writer) {
	if r.Kind != "" {
		fmt.Fprintf(w, "SALMUBench's %s data in %s: %d images, %d of them decoded\n", r.Kind, r.Dir, r.Images,
			r.Decoded)
	}
	for _, count := range r.Splits {
		fmt.Fprintf(w, "  %-20s %6d rows %4d people\n", count.Split, count.Rows, count.People)
	}
	for _, finding := range r.Findings {
		fmt.Fprintln(w, finding)
	}
}
