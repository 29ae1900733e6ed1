package unlearnlab

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// settings are the lines of the table of coverage: a quantity, a layout in words, repetitions, and two shares.
var settings = regexp.MustCompile(`(?m)^(\S.*?)  +\S.*? +\d+ +(\d\.\d{3}) +(\d\.\d{3})$`)

func TestTheTableOfCoverageIsWhatWasSimulated(t *testing.T) {
	simulated, err := os.ReadFile("unlearnkit/certify/testdata/coverage.txt")
	if err != nil {
		t.Fatal(err)
	}
	type extremes struct {
		count               int
		least, most, reject float64
	}
	of, order := map[string]*extremes{}, []string{}
	for _, line := range settings.FindAllStringSubmatch(string(simulated), -1) {
		holds, errHolds := strconv.ParseFloat(line[2], 64)
		rejects, errRejects := strconv.ParseFloat(line[3], 64)
		if errHolds != nil || errRejects != nil {
			t.Fatal(line[0])
		}
		e := of[line[1]]
		if e == nil {
			e = &extremes{least: math.Inf(1)}
			of[line[1]], order = e, append(order, line[1])
		}
		e.count++
		e.least, e.most, e.reject = min(e.least, holds), max(e.most, holds), max(e.reject, rejects)
	}
	var table strings.Builder
	table.WriteString("| quantity | settings | holds the truth, least | most | rejects it at .05, most |\n" +
		"|---|--:|--:|--:|--:|\n")
	all := 0
	for _, name := range order {
		e := of[name]
		all += e.count
		fmt.Fprintf(&table, "| %s | %d | %.3f | %.3f | %.3f |\n", name, e.count, e.least, e.most, e.reject)
	}
	if all < 300 {
		t.Fatalf("%d settings were simulated", all)
	}
	shows(t, "docs/verification.md", "Coverage", table.String())
}
