package stat

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
)

// tidyScores rewrites the file of scores with one row per value and a second metric, noise. Paired rows are far apart.
func tidyScores(t *testing.T) string {
	t.Helper()
	file, err := os.Open(scores)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString("id,seed,person,method,metric,value\n")
	for _, column := range []int{3, 2, 4} {
		for i := range rows[1:] {
			row := rows[1:][i]
			if column == 3 { // rows in reversed order
				row = rows[len(rows)-1-i]
			}
			for _, metric := range []string{"recall", "noise"} {
				value := row[column]
				if metric == "noise" {
					value = "9"
				}
				out.WriteString(strings.Join([]string{row[0] + "-" + row[1], row[0], "p" + row[0], rows[0][column], metric,
					value}, ",") + "\n")
			}
		}
	}
	return clitest.File(t, "tidy.csv", out.String())
}

func TestStat_TidyFile(t *testing.T) {
	tidy := tidyScores(t)
	by := []string{"--by", "method", "--where", "metric=recall"}
	for _, args := range [][]string{
		{"wilcoxon", "--x", "ours,theirs", "--y", "gold"},
		{"mannwhitney", "--x", "ours", "--y", "gold"},
		{"tost-paired", "--x", "theirs", "--y", "ours", "--margin", ".1"},
		{"ttest-1", "--x", "gold", "--mu", ".7"},
		{"friedman", "--columns", "ours,theirs,gold"},
		{"bootstrap", "--x", "ours", "--y", "gold", "--clusters", "seed"},
	} {
		wide := cmd.Succeed(t, append([]string{"stat", args[0], scores}, args[1:]...)...)
		got := cmd.Succeed(t, append(append([]string{"stat", args[0], tidy}, args[1:]...), by...)...)
		if got != wide {
			t.Errorf("%s of the tidy file:\n%sof the wide one:\n%s", args[0], got, wide)
		}
	}
}

func TestStat_TextClusters(t *testing.T) {
	tidy := tidyScores(t)
	args := []string{"stat", "bootstrap", tidy, "--by", "method", "--x", "ours", "--y", "gold", "--where", "metric=recall",
		"--json"}
	numbers := cmd.Succeed(t, append(args, "--clusters", "seed")...)
	words := cmd.Succeed(t, append(args, "--clusters", "person")...)
	if words != numbers || !strings.Contains(words, `"units": 5`) {
		t.Errorf("clusters by words:\n%sby numbers:\n%s", words, numbers)
	}
	shared := clitest.File(t, "c.csv", "x,who\n1,Ada\n2,Bruno\n4,Ada\n7,Clara\n")
	same := clitest.File(t, "c.csv", "x,who\n1,0\n2,1\n4,0\n7,2\n")
	if a, b := cmd.Succeed(t, "stat", "bootstrap", shared, "--x", "x", "--clusters", "who"),
		cmd.Succeed(t, "stat", "bootstrap", same, "--x", "x", "--clusters", "who"); a != b {
		t.Errorf("%s differs from %s", a, b)
	}
}

func TestStat_Where(t *testing.T) {
	path := clitest.File(t, "x.csv", "split,a,b\nforget,1,2\nretain,9,1\nforget,2,4\nforget,3,5\nretain,9,\n")
	want := cmd.Succeed(t, "stat", "sign", clitest.File(t, "y.csv", "a,b\n1,2\n2,4\n3,5\n"), "--x", "a", "--y", "b")
	if got := cmd.Succeed(t, "stat", "sign", path, "--x", "a", "--y", "b", "--where", "split=forget"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	cmd.Refused(t, 1, `row 5, column "b": the value is missing`, "stat", "sign", path, "--x", "a", "--y", "b", "--where",
		"split=retain")
}

func TestStat_BadTidyFile(t *testing.T) {
	tidy := clitest.File(t, "t.csv", "id,method,value\n1,npo,1\n2,npo,2\n1,gold,3\n3,gold,4\n")
	twice := clitest.File(t, "t.csv", "id,method,value\n1,npo,1\n1,npo,2\n1,gold,3\n")
	for _, test := range []struct {
		code int
		says string
		args []string
	}{
		{1, `no row has "dpo" in column "method"; it has gold, npo`, []string{tidy, "--by", "method", "--x", "dpo", "--y", "gold"}},
		{1, `id "3", column "npo": the value is missing`, []string{tidy, "--by", "method", "--x", "npo", "--y", "gold"}},
		{1, `rows 1 and 2 both have id "1" of "npo"`, []string{twice, "--by", "method", "--x", "npo", "--y", "gold"}},
		{1, `no column "question"`, []string{tidy, "--by", "method", "--x", "npo", "--y", "gold", "--id", "question"}},
		{1, `no column "score"`, []string{tidy, "--by", "method", "--x", "npo", "--y", "gold", "--value", "score"}},
		{1, `no column "metric"`, []string{tidy, "--by", "method", "--x", "npo", "--y", "gold", "--where", "metric=rouge"}},
		{2, `--where "metric": give COLUMN=VALUE`, []string{tidy, "--x", "a", "--y", "b", "--where", "metric"}},
	} {
		cmd.Refused(t, test.code, test.says, append([]string{"stat", "sign"}, test.args...)...)
	}
	cmd.Refused(t, 2, "--by method: name a value of this column with --x", "stat", "ttest-1", tidy, "--by", "method")
	if got := cmd.Succeed(t, "stat", "sign", tidy, "--by", "method", "--x", "npo", "--y", "gold", "--missing",
		"drop"); !strings.Contains(got, "2 missing dropped") {
		t.Errorf("%s does not say that two ids were dropped", got)
	}
}
