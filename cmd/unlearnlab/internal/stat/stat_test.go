package stat

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
)

const scores = "../../../../docs/examples/scores.csv"

// The expected values are from scipy and statsmodels, computed by testdata/gen_stat.py.
func TestStat_EqualsScipy(t *testing.T) {
	content, err := os.ReadFile("testdata/stat.json")
	if err != nil {
		t.Fatal(err)
	}
	var fixture struct {
		Cases []struct {
			Args         []string
			Statistic, P *float64
		}
	}
	if err := json.Unmarshal(content, &fixture); err != nil {
		t.Fatal(err)
	}
	if len(fixture.Cases) < 25 {
		t.Fatalf("%d cases", len(fixture.Cases))
	}
	for _, c := range fixture.Cases {
		args := append([]string{"stat", c.Args[0], scores, "--json"}, c.Args[1:]...)
		code, stdout, stderr := cmd.Run(args...)
		var got struct {
			Test         string
			Statistic, P *float64
			N            int
			Interval     []*float64
			Warnings     []string
		}
		if err := json.Unmarshal([]byte(stdout), &got); code != 0 || err != nil {
			t.Errorf("%v: exit %d, %v, %s", c.Args, code, err, stderr)
			continue
		}
		if got.Test != c.Args[0] || got.N == 0 || len(got.Interval) != 2 || got.Warnings == nil {
			t.Errorf("%v: got %s, want Test %v, N other than 0, 2 Interval, Warnings not nil",
				c.Args, stdout, c.Args[0])
		}
		for name, pair := range map[string][2]*float64{"statistic": {got.Statistic, c.Statistic}, "p": {got.P, c.P}} {
			if pair[1] == nil {
				continue
			}
			if pair[0] == nil || math.Abs(*pair[0]-*pair[1]) > 1e-9*math.Abs(*pair[1])+1e-300 {
				t.Errorf("%v: %s is not %v in %s", c.Args, name, *pair[1], stdout)
			}
		}
	}
}

// Sentences claim no more than their tests show.
func TestStat_Sentences(t *testing.T) {
	tests := []struct{ args, says string }{
		{"wilcoxon --x ours --y gold",
			"ours is lower than gold; p < .001, rank-biserial -.60 [-.71, -.47], n = 199 (wilcoxon, asymptotic)\n"},
		{"wilcoxon --x ours,theirs --y gold",
			"no difference between theirs and gold was shown; p = .822, Holm .822, rank-biserial -.02"},
		{"tost-paired --x theirs --y gold --margin .02", "theirs and gold are equivalent within ±0.02; p < .001"},
		{"tost-paired --x ours --y gold --margin .02",
			"ours and gold were not shown to be equivalent within ±0.02; p = .516"},
		{"bootstrap --x ours --y gold --clusters seed",
			"ours minus gold; mean difference -.020 [-.030, -.007], n = 200 (bootstrap, bca)\nnote: fewer than 10 " +
				"units"},
		{"binomial --x ours_right", "ours_right is higher than probability 0.5; p < .001, proportion .70 ["},
		{"ks1 --x ours --cdf uniform", "ours differs from the uniform distribution; p < .001, D .45"},
		{"ttest-1 --x ours --mu .68", "no difference between ours and 0.68 was shown"},
		{"fisher --x ours_right --y gold_right", "no difference between ours_right and gold_right was shown; p > .999"},
		{"friedman --columns ours,theirs,gold", "ours, theirs, gold differ; p < .001, Kendall's W .13"},
	}
	for _, test := range tests {
		words := strings.Fields(test.args)
		code, stdout, stderr := cmd.Run(append([]string{"stat", words[0], scores}, words[1:]...)...)
		if code != 0 || !strings.Contains(stdout, test.says) {
			t.Errorf("%s: exit %d %s\n%s\ndoes not say %q", test.args, code, stderr, stdout, test.says)
		}
	}
}

func TestAdjust_KeepsOrder(t *testing.T) {
	p := clitest.File(t, "p.csv", "p\n.04\n.01\n.03\n")
	code, stdout, _ := cmd.Run("stat", "holm", p, "--json")
	var got struct{ Adjusted []float64 }
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 0 {
		t.Fatalf("got %v, %v, want code 0", code, err)
	}
	for i, want := range []float64{.06, .03, .06} {
		if math.Abs(got.Adjusted[i]-want) > 1e-15 {
			t.Errorf("got %v, want Adjusted[i] near %v", got.Adjusted, want)
		}
	}
	code, stdout, _ = cmd.Run("stat", "bh", p)
	if code != 0 || !strings.HasSuffix(stdout, "3 of 3 remain below .05 after the adjustment (bh)\n") {
		t.Errorf("got %v, %v, want code 0, %q at the end of stdout",
			code, stdout, "3 of 3 remain below .05 after the adjustment (bh)\n")
	}
}

// A table of counts and a file of outcomes give equal results.
func TestCounts_EqualOutcomes(t *testing.T) {
	counts := clitest.File(t, "counts.csv", "right,wrong\n3,10\n25,2\n")
	var rows strings.Builder
	rows.WriteString("right,wrong\n")
	for _, c := range []struct {
		line string
		n    int
	}{{"1,1\n", 3}, {"1,0\n", 10}, {"0,1\n", 25}, {"0,0\n", 2}} {
		rows.WriteString(strings.Repeat(c.line, c.n))
	}
	outcomes := clitest.File(t, "outcomes.csv", rows.String())
	for _, test := range []string{"mcnemar", "fisher"} {
		_, first, _ := cmd.Run("stat", test, counts, "--x", "right", "--y", "wrong", "--json")
		_, second, _ := cmd.Run("stat", test, outcomes, "--x", "right", "--y", "wrong", "--json")
		if first != second || !strings.Contains(first, `"p": `) {
			t.Errorf("%s:\ngot %s\n%s, want first %v, %q in first", test, first, second, second, `"p": `)
		}
	}
	if _, out, _ := cmd.Run("stat", "mcnemar", counts, "--x", "right", "--y", "wrong", "--json"); !strings.Contains(out,
		"0.01667384780012") {
		t.Errorf(`b = 10, c = 25: got %s, want "0.01667384780012" in it`, out)
	}
}

func TestStat_MissingValues(t *testing.T) {
	path := clitest.File(t, "x.csv", "a,b\n1,2\n,3\n2,5\n3,\n4,6\n5,9\n")
	code, _, stderr := cmd.Run("stat", "ttest-paired", path, "--x", "a", "--y", "b")
	if code != 1 || !strings.Contains(stderr, `row 2, column "a": the value is missing or NaN; --missing drop`) {
		t.Errorf("got %v, %v, want code 1, %q in stderr",
			code, stderr, `row 2, column "a": the value is missing or NaN; --missing drop`)
	}
	code, stdout, _ := cmd.Run("stat", "ttest-paired", path, "--x", "a", "--y", "b", "--missing", "drop", "--json")
	if code != 0 || !strings.Contains(stdout, `"n": 4,`) || !strings.Contains(stdout, "2 missing dropped") {
		t.Errorf(`got %v, %v, want code 0, %q in stdout, "2 missing dropped" in stdout`, code, stdout, `"n": 4,`)
	}
	code, stdout, _ = cmd.Run("stat", "welch", path, "--x", "a", "--y", "b", "--missing", "drop", "--json")
	if code != 0 || !strings.Contains(stdout, `"n": 10,`) {
		t.Errorf("got %v, %v, want code 0, %q in stdout", code, stdout, `"n": 10,`)
	}
}

func TestStat_BadInput(t *testing.T) {
	good := clitest.File(t, "good.csv", "x,y\n1,2\n2,1\n3,5\n")
	text := clitest.File(t, "text.csv", "x,y\n1,2\n2,no\n")
	three := clitest.File(t, "three.csv", "x\n1\n2\n3\n")
	four := clitest.File(t, "four.csv", "x\n1\n2\n3\n4\n")
	tests := []struct {
		code int
		says string
		args []string
	}{
		{2, "expected a test and a file", []string{"stat"}},
		{2, `there is no test "wilcox"`, []string{"stat", "wilcox", good}},
		{2, "wilcoxon compares two columns: give --x and --y", []string{"stat", "wilcoxon", good, "--x", "x"}},
		{2, "needs --margin", []string{"stat", "tost-paired", good, "--x", "x", "--y", "y"}},
		{2, `--alternative "lower" is not two-sided`,
			[]string{"stat", "sign", good, "--x", "x", "--y", "y", "--alternative", "lower"}},
		{2, `--method "quick" is not auto`,
			[]string{"stat", "sign", good, "--x", "x", "--y", "y", "--method", "quick"}},
		{2, "--level 95 is not between 0 and 1",
			[]string{"stat", "sign", good, "--x", "x", "--y", "y", "--level", "95"}},
		{2, "--resamples 0 is not between", []string{"stat", "bootstrap", good, "--x", "x", "--resamples", "0"}},
		{2, "unknown flag: --colour", []string{"stat", "sign", good, "--colour"}},
		{2, "needs --columns", []string{"stat", "friedman", good}},
		{2, "has 2 columns: name one with --x", []string{"stat", "holm", good}},
		{1, `no column "z"; it has "x", "y"`, []string{"stat", "wilcoxon", good, "--x", "x", "--y", "z"}},
		{1, `row 2 (line 3), column "y": "no" is not a number`,
			[]string{"stat", "wilcoxon", text, "--x", "x", "--y", "y"}},
		{1, "the file is empty", []string{"stat", "wilcoxon", clitest.File(t, "empty.csv", ""), "--x", "x", "--y",
			"y"}},
		{1, "no such file", []string{"stat", "wilcoxon", good + ".csv", "--x", "x", "--y", "y"}},
		{1, "not a whole Parquet file",
			[]string{"stat", "wilcoxon", clitest.File(t, "cut.parquet", "PAR1 and no more"), "--x", "x", "--y", "y"}},
		{1, `column "x" of ` + three + " has 3 rows", []string{"stat", "wilcoxon", three, four}},
		{1, `row 3, column "x": 3 is not 0 or 1`,
			[]string{"stat", "binomial", clitest.File(t, "b.csv", "x\n1\n0\n3\n"), "--x", "x"}},
		{1, `row 2, column "p": 1.5 is not a p-value`, []string{"stat", "holm", clitest.File(t, "p.csv",
			"p\n.5\n1.5\n")}},
		{1, `row 2 has no cluster; --missing drop omits it`,
			[]string{"stat", "bootstrap", clitest.File(t, "c.csv", "x,seed\n1,1\n2,\n"), "--x", "x", "--clusters",
				"seed"}},
		{2, `there is no verb "statistics"`, []string{"statistics"}},
	}
	for _, test := range tests {
		code, stdout, stderr := cmd.Run(test.args...)
		if code != test.code || !strings.Contains(stderr, test.says) || strings.Count(stderr, "\n") != 1 ||
			stdout != "" {
			t.Errorf("%v: exit %d, want %d\n%s%s\ndoes not say %q", test.args, code, test.code, stdout, stderr,
				test.says)
		}
	}
}

func TestStat_TwoFiles(t *testing.T) {
	first, second := clitest.File(t, "a.csv", "ours\n1\n2\n3\n4\n5\n6\n"), clitest.File(t, "b.csv",
		"gold\n2\n4\n6\n8\n10\n13\n")
	code, stdout, stderr := cmd.Run("stat", "wilcoxon", first, second)
	if code != 0 || !strings.HasPrefix(stdout, "ours is lower than gold; p = .031") {
		t.Errorf(`got %v, %v, %v, want code 0, "ours is lower than gold; p = .031" at the beginning of stdout`,
			code, stdout, stderr)
	}
}

// The proportion is compared with the null hypothesis, not with 0.
func TestBinomial_Side(t *testing.T) {
	few := clitest.File(t, "x.csv", "x\n"+strings.Repeat("1\n", 3)+strings.Repeat("0\n", 27))
	if got := cmd.Succeed(t, "stat", "binomial", few); !strings.HasPrefix(got, "x is lower than probability 0.5; p < .001") {
		t.Errorf("3 of 30: %s", got)
	}
	if got := cmd.Succeed(t, "stat", "binomial", few, "--mu", ".001"); !strings.HasPrefix(got, "x is higher than") {
		t.Errorf("3 of 30 against .001: %s", got)
	}
}
