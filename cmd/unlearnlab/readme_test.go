package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/kernelext"
)

// shellLines returns the command lines in a Markdown file's sh fences, without comments.
func shellLines(t *testing.T, path string) (lines []string) {
	for _, fence := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(clitest.Read(t, path), -1) {
		for line := range strings.Lines(fence[1]) {
			if line = strings.TrimSpace(regexp.MustCompile(`\s+#.*`).ReplaceAllString(line, "")); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// TestREADME_Commands runs README's commands in their order, as in a fresh clone: in a temporary folder, with an empty
// home, and without a network.
func TestREADME_Commands(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains the study of SALMUBench at its smallest size")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	citation := clitest.Read(t, "../../CITATION.cff")
	makefile, lines := clitest.Read(t, "../../Makefile"), shellLines(t, "../../README.md")
	t.Setenv("UNLEARNLAB_HOME", t.TempDir())
	t.Setenv("GOPROXY", "off")
	t.Setenv(kernelext.PresetVariable, "") // the default presets, as for a reader of the README
	t.Chdir(t.TempDir())
	for _, part := range []string{"docs", "unlearnkit"} {
		if err := os.Symlink(filepath.Join(root, part), part); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	for _, line := range lines {
		if target, isMake := strings.CutPrefix(line, "make "); isMake {
			if !strings.Contains(makefile, "\n"+target+":") {
				t.Errorf("the Makefile has no target %s", target)
			}
			continue
		}
		if address, isClone := strings.CutPrefix(line, "git clone "); isClone {
			if address, _, _ = strings.Cut(address, " "); !strings.Contains(citation, "repository-code: "+address+"\n") {
				t.Errorf("%s is not the repository of CITATION.cff", address)
			}
			continue
		}
		arguments, isOurs := strings.CutPrefix(line, "bin/unlearnlab ")
		if !isOurs {
			t.Errorf("%s is no command of this project", line)
			continue
		}
		want := cli.ExitDone
		if strings.Contains(line, "--strict") {
			want = cli.ExitCheck
		}
		code, stdout, stderr := cmd.Run(strings.Fields(arguments)...)
		if code != want || stdout == "" {
			t.Errorf("%s: exit %d, want %d\n%s%s", line, code, want, stdout, stderr)
		}
		ran++
	}
	if ran < 5 {
		t.Errorf("%d commands found, want at least 5", ran)
	}
}

// The README's cells run in the notebooks' folder, where JupyterLab opens and which the image copies.
func TestREADME_Cells(t *testing.T) {
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
		if code, stdout, stderr := cmd.Run(strings.Fields(line[1])...); code != cli.ExitDone || stdout == "" {
			t.Errorf("%%unlearn %s: exit %d, %s", line[1], code, stderr)
		}
	}
}

// The notebooks' folder has the same example file as the documents.
func TestREADME_ExampleFile(t *testing.T) {
	example, err := os.ReadFile("../../docs/examples/scores.csv")
	if err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile("../../notebooks/scores.csv")
	if err != nil || !bytes.Equal(copied, example) {
		t.Errorf("notebooks/scores.csv is not the example: %v", err)
	}
}
