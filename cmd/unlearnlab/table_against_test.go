package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
)

func TestAgainst_Row(t *testing.T) {
	home := madeup.Home(t, salmu.Study)
	text := cmd.Succeed(t, "table", "salmu", "5", "--against", "DELETE", "--home", home)
	for _, want := range []string{"each row less DELETE/5x (smoke)", "Generic Captions/5x", "RetFail"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "\nDELETE/5x") {
		t.Error("a row is compared with itself")
	}
	var object struct {
		Rows []struct {
			Row, Column, Against string
			Estimate             float64
		}
	}
	output := cmd.Succeed(t, "table", "salmu", "5", "--against", "Finetuning/1x", "--home", home, "--format", "json")
	if err := json.Unmarshal([]byte(output), &object); err != nil || len(object.Rows) == 0 {
		t.Fatalf("got %v: %s, want length other than 0 of object.Rows", err, output)
	}
	for _, row := range object.Rows {
		if row.Against != "Finetuning/1x" || row.Row == "Finetuning/1x" {
			t.Errorf(`got %+v, want Against "Finetuning/1x", Row other than "Finetuning/1x"`, row)
		}
	}
	for row, same := range map[string]string{"delete": "DELETE", "Delete/5X": "DELETE/5x"} {
		if got, want := cmd.Succeed(t, "table", "salmu", "5", "--against", row, "--home", home),
			cmd.Succeed(t, "table", "salmu", "5", "--against", same, "--home", home); got != want {
			t.Errorf("%q gives another table than %q:\n%s", row, same, got)
		}
	}
	for says, row := range map[string]string{`has no row "DELTE"`: "DELTE", "name a row": "",
		`has no row "delte" to compare others with; do you mean "DELETE"?`: "delte"} {
		cmd.Refused(t, cli.ExitUsage, says, "table", "salmu", "5", "--against", row, "--home", home)
	}
	cmd.Refused(t, cli.ExitUsage, "--against needs a reproduced table", "table", "salmu", "evaluator", "--against",
		"GA")
}
