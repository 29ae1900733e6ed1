package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
)

// Answers can be printed as a table and judged; the scores then replace the study's own in its tables.
func TestJudged_OwnJudge(t *testing.T) {
	home := madeup.Home(t, remem.Study)
	folder := t.TempDir()
	answers, judged := filepath.Join(folder, "answers.csv"), filepath.Join(folder, "judged.parquet")
	listed := cmd.Succeed(t, "table", "remem", "answers", "--preset", "smoke", "--home", home, "--format", "csv")
	if err := os.WriteFile(answers, []byte(listed), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd.Succeed(t, "judge", answers, "--rules", "--out", judged)
	rules := cmd.Succeed(t, "table", "remem", "2", "--home", home, "--format", "csv")
	again := cmd.Succeed(t, "table", "remem", "2", "--home", home, "--format", "csv", "--judged", judged)
	if again != rules {
		t.Errorf("rules gave\n%s\nand, asked outside,\n%s", rules, again)
	}
	if note := cmd.Succeed(t, "table", "remem", "2", "--home", home, "--judged", judged); !strings.Contains(note,
		"a judge of your own gives") {
		t.Errorf("the note does not say who judged:\n%s", note)
	}
	lines := strings.SplitAfter(listed, "\n")
	all := filepath.Join(folder, "all.csv")
	for name, test := range map[string]struct{ file, says string }{
		"a score that is none": {lines[0] + lines[1], `has no column "score"`},
		"too few": {"row,score\n0/S/Before/forget/x,1\n",
			"answers about people to forget have no score, such as 0/S/Before/forget/"},
		"twice":     {"row,score\na,1\na,2\n", "row 2: a already has a score"},
		"too large": {"row,score\na,101\n", `row 1: the score "101" is not a number from 0 to 100`},
	} {
		if err := os.WriteFile(all, []byte(test.file), 0o644); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := cmd.Run("table", "remem", "2", "--home", home, "--judged", all)
		if code != cli.ExitFailed || !strings.Contains(stderr, test.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: got %d, %s, want code %v, %q in stderr, %q 1 times",
				name, code, stderr, cli.ExitFailed, test.says, "\n")
		}
	}
	cmd.Refused(t, cli.ExitUsage, "--judged: this study has no text answers to judge", "table", "salmu", "5", "--home",
		madeup.Home(t, papers.Of("salmu")), "--judged", judged)
}
