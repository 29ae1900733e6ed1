package salmu512

import (
	"fmt"
	"io"
)

// Name is that of the data set.
func (r *Report) Name() string { return r.Kind.Name() }

// Usable says whether there are no errors; there may be warnings.
func (r *Report) Usable() bool { return r.OK }

// Write tells in words what was found.
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
