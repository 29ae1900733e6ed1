package main

import (
	"strings"
	"testing"
)

func TestOfAWideTableSomeColumnsAndRowsAreShown(t *testing.T) {
	t.Setenv("UNLEARNLAB_HOME", t.TempDir())
	got := succeed(t, "table", "unslu", "4", "--printed", "--columns", "gum,NoMUS", "--rows", "ng,scrub")
	lines := strings.Split(got, "\n")
	if header := strings.Fields(lines[1]); header[len(header)-2] != "GUM" || header[len(header)-1] != "NoMUS" {
		t.Error(got)
	}
	if !strings.Contains(got, "NG") || !strings.Contains(got, "SCRUB") || strings.Contains(got, "UNSIR") {
		t.Error(got)
	}
	for _, c := range []struct{ args, want string }{
		{"--columns F9", `there is no column "F9"; there are `},
		{"--rows nobody", `no row has "nobody" in its name; the first is `},
		{"--rows ng --format json", "--format json gives every cell here; leave --columns and --rows out"},
	} {
		code, stdout, stderr := command(append([]string{"table", "unslu", "4", "--printed"},
			strings.Fields(c.args)...)...)
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %s%s", c.args, code, stdout, stderr)
		}
	}
}
