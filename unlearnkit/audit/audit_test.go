package audit_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
)

var audits = map[string]audit.Audit{"salmu": audit.SALMU, "remem": audit.ReMem, "unslu": audit.UnSLU,
	"concealment": audit.Concealment}

func run(t *testing.T, paper string) []audit.Finding {
	t.Helper()
	findings, err := audits[paper].Findings()
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

func all(t *testing.T) (findings []audit.Finding) {
	t.Helper()
	for _, paper := range papers.Names {
		findings = append(findings, run(t, paper)...)
	}
	return findings
}

func TestFindings_EveryNumber(t *testing.T) {
	found := map[string]bool{}
	for _, f := range all(t) {
		found[strings.Join([]string{f.Paper, f.Item, f.Row, f.Column, f.Printed}, "\x00")] = true
	}
	numbers := 0
	for _, item := range papers.List() {
		if !strings.HasPrefix(item.Name, "table") && !strings.HasPrefix(item.Name, "figure") && item.Name != "text" {
			continue
		}
		cells, err := papers.Open(item.Paper, item.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cells {
			if !c.Numeric() {
				continue
			}
			numbers++
			if !found[strings.Join([]string{c.Paper, c.Item, c.Row, c.Column, c.Value}, "\x00")] {
				t.Errorf("%+v has no finding", c)
			}
		}
	}
	if numbers < 1300 {
		t.Errorf("only %d numbers were looked at", numbers)
	}
}

func TestFindings_Whole(t *testing.T) {
	known := []audit.Verdict{audit.Reproduced, audit.Consistent, audit.Inconsistent, audit.NotDerivable}
	for _, f := range all(t) {
		if !slices.Contains(known, f.Verdict) || !slices.Contains(papers.Names, f.Paper) || f.Item == "" ||
			f.Row == "" || f.Column == "" || f.Check == "" {
			t.Errorf("got %+v, want %v among known, %v among papers.Names, Item not empty, Row not empty, Column "+
				"not empty, Check not empty",
				f, f.Verdict, f.Paper)
		}
		if (f.Computed == "") != (f.Check == "measured" || f.Check == "stated") {
			t.Errorf("a check computes something: %+v", f)
		}
		if !strings.HasSuffix(f.Reason, ".") || len(f.Reason) > 220 {
			t.Errorf("the reason is not one short sentence: %+v", f)
		}
	}
}

func TestFindings_SameEveryTime(t *testing.T) {
	if diff := cmp.Diff(all(t), all(t)); diff != "" {
		t.Errorf("mismatch (-all(t) +all(t)):\n%s", diff)
	}
}

func TestFindings_PageOrder(t *testing.T) {
	order := map[string]int{}
	for i, item := range papers.List() {
		order[item.Paper+"/"+item.Name] = i
	}
	last := -1
	for _, f := range all(t) {
		at, ok := order[f.Paper+"/"+f.Item]
		if !ok || at < last {
			t.Fatalf("%s %s stands after item %d", f.Paper, f.Item, last)
		}
		last = at
	}
}

func TestFindings_JSONKeys(t *testing.T) {
	b, err := json.Marshal(run(t, "unslu")[0])
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]string
	if err := json.Unmarshal(b, &keys); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"paper", "item", "row", "column", "printed", "computed", "verdict", "reason"} {
		if _, ok := keys[key]; !ok {
			t.Errorf("%s lacks %q", b, key)
		}
	}
}

func TestSummary_CountsOnce(t *testing.T) {
	findings := all(t)
	counts := audit.Summary(findings)
	if len(counts) != len(papers.Names) {
		t.Fatalf("got %+v, want length %v", counts, len(papers.Names))
	}
	total := 0
	for i, c := range counts {
		if c.Paper != papers.Names[i] {
			t.Errorf("%s stands at %d", c.Paper, i)
		}
		total += c.Reproduced + c.Consistent + c.Inconsistent + c.NotDerivable
	}
	grouped := 0
	groups := audit.Groups(findings)
	for _, g := range groups {
		grouped += len(g.Findings)
		for _, f := range g.Findings {
			if f.Item != g.Item || f.Check != g.Check || f.Verdict != g.Verdict || f.Reason != g.Reason {
				t.Errorf("%+v is in the group %s, %s", f, g.Item, g.Check)
			}
		}
	}
	if total != len(findings) || grouped != len(findings) {
		t.Errorf("%d findings, %d counted, %d grouped", len(findings), total, grouped)
	}
	if len(groups) > len(findings)/5 {
		t.Errorf("%d groups of %d findings are too many to read", len(groups), len(findings))
	}
}

func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		for _, a := range audits {
			if _, err := a.Findings(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func Example() {
	findings, err := audit.Concealment.Findings()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range findings {
		if f.Row == "EMD example" && f.Column == "EMD" && f.Verdict == audit.Inconsistent {
			fmt.Printf("printed %s, computed %s: %s\n%s\n", f.Printed, f.Computed, f.Verdict, f.Reason)
		}
	}
	// Output:
	// printed 0.7, computed 0.5: inconsistent
	// On a line the distance is the sum of the differences of the two distribution functions.
}

func ExampleGroups() {
	findings, err := audit.ReMem.Findings()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range audit.Groups(findings) {
		if g.Item == "table3" && g.Verdict == audit.Inconsistent {
			fmt.Printf("%s, %s (%d times): %s\n", g.Item, g.Check, len(g.Findings), g.Reason)
		}
	}
	// Output:
	// table3, a whole number of the 2000 training pairs (2 times): No whole number of 2000 rounds to the printed value.
	// table3, a whole number of the 2560 samples of D (2 times): No whole number of 2560 rounds to the printed value.
	// table3, a whole number of the 560 test pairs (4 times): No whole number of 560 rounds to the printed value.
}
