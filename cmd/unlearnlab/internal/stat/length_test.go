package stat

import (
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
)

// Groups of unequal size may be columns of one file, with blanks below the shorter one.
func TestColumns_UnequalLength(t *testing.T) {
	path := clitest.File(t, "groups.csv", "ours,theirs\n1,2\n2,4\n3,\n4,\n5,\n")
	for _, test := range []string{"mannwhitney", "welch", "ttest-ind", "ks", "permutation-ind"} {
		got := cmd.Succeed(t, "stat", test, path, "--x", "ours", "--y", "theirs", "--json")
		if strings.Contains(got, "dropped") {
			t.Errorf(`%s: got %s, want no "dropped"`, test, got)
		}
	}
	both := clitest.File(t, "long.csv", "ours\n1\n2\n3\n4\n5\n")
	short := clitest.File(t, "short.csv", "theirs\n2\n4\n")
	if one, two := cmd.Succeed(t, "stat", "welch", path, "--x", "ours", "--y", "theirs"),
		cmd.Succeed(t, "stat", "welch", both, short); one != two {
		t.Errorf("got %s%s, want one %v", one, two, two)
	}
	for _, test := range []string{"wilcoxon", "ttest-paired", "sign"} {
		cmd.Refused(t, cli.ExitFailed, "row 3, column \"theirs\": the value is missing", "stat", test, path, "--x",
			"ours",
			"--y", "theirs")
	}
	cmd.Refused(t, cli.ExitFailed, "row 2, column \"x\": the value is missing", "stat", "welch",
		clitest.File(t, "hole.csv", "x,y\n1,2\n,3\n4,5\n"), "--x", "x", "--y", "y")
	cmd.Refused(t, cli.ExitFailed, "has no values", "stat", "welch", clitest.File(t, "none.csv", "x,y\n1,\n2,\n"),
		"--x", "x",
		"--y", "y")
	cmd.Refused(t, cli.ExitFailed, "1e400", "stat", "welch", clitest.File(t, "large.csv", "x,y\n1,2\n1e400,3\n"), "--x",
		"x",
		"--y", "y")
}
