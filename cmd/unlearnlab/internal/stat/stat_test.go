package stat

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
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
		var found struct {
			Rows []struct {
				Test         string
				Statistic, P *float64
				N            int
				Interval     []*float64
				Warnings     []string
			}
		}
		if err := json.Unmarshal([]byte(stdout), &found); code != 0 || err != nil || len(found.Rows) != 1 {
			t.Errorf("%v: exit %d, %v, %s", c.Args, code, err, stderr)
			continue
		}
		got := found.Rows[0]
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
	var got struct{ Rows []struct{ Adjusted float64 } }
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 0 {
		t.Fatalf("got %v, %v, want code 0", code, err)
	}
	for i, want := range []float64{.06, .03, .06} {
		if math.Abs(got.Rows[i].Adjusted-want) > 1e-15 {
			t.Errorf("got %v, want %v in row %d", got.Rows, want, i)
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

// A sentence says if nothing can be tested, or if no data of this size could be significant.
func TestStat_FewObservations(t *testing.T) {
	one := clitest.File(t, "one.csv", "x,y\n1,2\n")
	five := clitest.File(t, "five.csv", "x,y\n1,2\n2,4\n3,6\n4,8.5\n5,10.5\n")
	six := clitest.File(t, "six.csv", "x,y\n1,2\n2,4\n3,6\n4,8.5\n5,10.5\n6,13\n")
	huge := clitest.File(t, "huge.csv", "x,y\n1e308,-1e308\n1,2\n2,5\n3,7\n")
	const least = "p = .062 is the smallest possible two-sided p at n = 5"
	for _, test := range []struct{ args, says string }{
		{"ttest-paired " + one + " --x x --y y", "x and y cannot be tested: too few observations"},
		{"tost-paired " + one + " --x x --y y --margin 1", "x and y cannot be tested: too few observations"},
		{"bootstrap " + huge + " --x x --y y", "x minus y cannot be tested: "},
		{"wilcoxon " + huge + " --x x --y y", "note: an infinite difference has the largest rank"},
		{"wilcoxon " + five + " --x x --y y", least},
		{"sign " + five + " --x x --y y", least},
		{"sign " + clitest.File(t, "f.csv", "x,y\n1,2\n2,4\n3,6\n4,8.5\n") + " --x x --y y --alternative less",
			"p = .062 is the smallest possible one-sided p at n = 4"},
		{"mannwhitney " + one + " --x x --y y", "p > .999 is the smallest possible two-sided p"},
	} {
		if got := cmd.Succeed(t, append([]string{"stat"}, strings.Fields(test.args)...)...); !strings.Contains(got, test.says) {
			t.Errorf("%s prints\n%s, want %q", test.args, got, test.says)
		}
	}
	if got := cmd.Succeed(t, "stat", "wilcoxon", six, "--x", "x", "--y", "y"); strings.Contains(got, "smallest") {
		t.Errorf("six pairs: %s", got)
	}
}

func TestStat_Formats(t *testing.T) {
	for format, want := range map[string]string{"tex": `\toprule`, "md": "| ours, gold | 199 |", "csv": "\n\"ours, gold\",199,",
		"html": "<td", "json": `"p_adjusted"`} {
		got := cmd.Succeed(t, "stat", "wilcoxon", scores, "--x", "ours,theirs", "--y", "gold", "--format", format)
		if !strings.Contains(got, want) {
			t.Errorf("%s has no %q:\n%s", format, want, got)
		}
	}
	cmd.Refused(t, cli.ExitUsage, `there is no format "docx"`, "stat", "sign", scores, "--format", "docx")
}

// Tables with other separators and other line ends are refused with the reason.
func TestStat_Separators(t *testing.T) {
	cmd.Refused(t, cli.ExitFailed, "separated by ;?", "stat", "sign", clitest.File(t, "s.csv", "x;y\n1;2\n"), "--x", "x",
		"--y", "y")
	cmd.Refused(t, cli.ExitFailed, "its lines end with CR alone", "stat", "ttest-1", clitest.File(t, "c.csv",
		"x\r1\r2\r"))
}

func TestWithInput(t *testing.T) {
	for input, name := range map[string]string{"x,y\n1,2\n": "stdin.csv", "x\ty\n1\t2\n": "stdin.tsv", "": "stdin.csv"} {
		files, remove, err := withInput([]string{"a.csv", "-"}, strings.NewReader(input))
		if err != nil {
			t.Fatal(err)
		}
		if files[0] != "a.csv" || filepath.Base(files[1]) != name || clitest.Read(t, files[1]) != input {
			t.Errorf("%q is read as %q", input, files)
		}
		if remove(); len(files) != 2 {
			t.Errorf("files are %q", files)
		}
		if _, err := os.Stat(files[1]); err == nil {
			t.Errorf("%s is kept", files[1])
		}
	}
	if _, _, err := withInput([]string{"-", "-"}, strings.NewReader("")); err == nil {
		t.Error("the standard input is read twice")
	}
}
