package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The README's cells run in the folder of the notebooks, where JupyterLab opens and which the image copies.
func TestTheCellsOfTheREADMERunWhereNotebooksAre(t *testing.T) {
	content, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("UNLEARNLAB_HOME", t.TempDir())
	t.Chdir("../../notebooks")
	lines := regexp.MustCompile(`(?m)^%unlearn (.+)$`).FindAllStringSubmatch(string(content), -1)
	if len(lines) < 3 {
		t.Fatalf("%d cells", len(lines))
	}
	for _, line := range lines {
		if code, stdout, stderr := command(strings.Fields(line[1])...); code != exitDone || stdout == "" {
			t.Errorf("%%unlearn %s: exit %d, %s", line[1], code, stderr)
		}
	}
}

func TestTheExampleLiesWhereCellsFindItToo(t *testing.T) {
	example, err := os.ReadFile("../../examples/scores.csv")
	if err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile("../../notebooks/scores.csv")
	if err != nil || !bytes.Equal(copied, example) {
		t.Errorf("notebooks/scores.csv is not the example: %v", err)
	}
}
