package repotest

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// settings matches the lines of the coverage table: a quantity, a layout in words, repetitions, and shares. The shares
// are those of intervals that contain the true value, and of tests that reject it at .05, .005 and .0005.
var settings = regexp.MustCompile(
	`(?m)^(\S.*?)  +(\S.*?) +\d+ +(\d\.\d{3}) +(\d\.\d{3}) +(\d\.\d{4}) +(\d\.\d{4})$`)

func TestCoverage_Table(t *testing.T) {
	simulated, err := os.ReadFile("unlearnkit/certify/testdata/coverage.txt")
	if err != nil {
		t.Fatal(err)
	}
	type extremes struct {
		count       int
		least, most float64
		rejects     [3]float64
		far, afar   float64 // smallest coverage if repetitions differ by 1 and 1.5 standard deviations
	}
	of, order := map[string]*extremes{}, []string{}
	for _, line := range settings.FindAllStringSubmatch(string(simulated), -1) {
		holds, err := strconv.ParseFloat(line[3], 64)
		if err != nil {
			t.Fatal(line[0])
		}
		e := of[line[1]]
		if e == nil {
			e = &extremes{least: math.Inf(1), far: math.Inf(1), afar: math.Inf(1)}
			of[line[1]], order = e, append(order, line[1])
		}
		e.count++
		switch {
		case strings.HasSuffix(line[2], "differ by 1.5"):
			e.afar = min(e.afar, holds)
			continue
		case strings.Contains(line[2], "by 1"):
			e.far = min(e.far, holds)
			continue
		}
		e.least, e.most = min(e.least, holds), max(e.most, holds)
		for i := range e.rejects {
			rejects, err := strconv.ParseFloat(line[4+i], 64)
			if err != nil {
				t.Fatal(line[0])
			}
			e.rejects[i] = max(e.rejects[i], rejects)
		}
	}
	var table strings.Builder
	table.WriteString("| quantity | settings | holds the truth, least | most | rejects it at .05, most | at .005 | " +
		"at .0005 | holds where repetitions differ by 1, least | by 1.5, least |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	all := 0
	for _, name := range order {
		e := of[name]
		all += e.count
		fmt.Fprintf(&table, "| %s | %d | %.3f | %.3f | %.3f | %.4f | %.4f | %.3f | %.3f |\n", name, e.count, e.least, e.most,
			e.rejects[0], e.rejects[1], e.rejects[2], e.far, e.afar)
	}
	if all < 800 {
		t.Fatalf("%d settings were simulated", all)
	}
	shows(t, "docs/verification.md", "Coverage", table.String())
}

// atBorder matches the lines of the table for the border of erased: standard deviations in words, repetitions, and
// shares.
var atBorder = regexp.MustCompile(
	`(?m)^(trainings .*?) +(\d+) +(\d\.\d{5}) +(\d\.\d{5}) +(\d\.\d{5}) +\d\.\d{5} +\d\.\d{5} +\d\.\d{5}$`)

func TestBorder_Table(t *testing.T) {
	simulated, err := os.ReadFile("unlearnkit/certify/testdata/border.txt")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| standard deviations | repetitions | called erased at .05 | at .005 | at .0005 |\n" +
		"|---|--:|--:|--:|--:|\n")
	lines := atBorder.FindAllStringSubmatch(string(simulated), -1)
	for _, line := range lines {
		fmt.Fprintf(&table, "| %s |\n", strings.Join(line[1:], " | "))
	}
	if len(lines) != 48 {
		t.Fatalf("%d settings were simulated", len(lines))
	}
	shows(t, "docs/verification.md", "Border", table.String())
}
