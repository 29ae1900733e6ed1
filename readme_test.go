package unlearnlab

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shellLines returns the command lines of a Markdown file's sh fences, without comments.
func shellLines(t *testing.T, path string) []string {
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, fence := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(content), -1) {
		for _, line := range strings.Split(fence[1], "\n") {
			if line = strings.TrimSpace(regexp.MustCompile(`\s+#.*`).ReplaceAllString(line, "")); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// expectedExit is the exit code of the README's commands that do not end with 0.
var expectedExit = map[string]int{"bin/unlearnlab audit unslu --strict": 3}

func TestEveryCommandOfTheREADMERuns(t *testing.T) {
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "bin", "unlearnlab"), "./cmd/unlearnlab")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"examples", "unlearnkit"} {
		if err := os.Symlink(filepath.Join(root, part), filepath.Join(folder, part)); err != nil {
			t.Fatal(err)
		}
	}
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir() // results that these commands make are not the reader's
	ran := 0
	for _, line := range shellLines(t, "README.md") {
		if strings.HasPrefix(line, "make ") {
			if target := strings.Fields(line)[1]; !strings.Contains(string(makefile), "\n"+target+":") {
				t.Errorf("the Makefile has no target %s", target)
			}
			continue
		}
		command := exec.Command("sh", "-c", line)
		command.Dir = folder
		command.Env = append(os.Environ(), "UNLEARNLAB_HOME="+home)
		output, err := command.CombinedOutput()
		if code := command.ProcessState.ExitCode(); code != expectedExit[line] || len(output) == 0 {
			t.Errorf("%s: exit %d, %v\n%s", line, code, err, output)
		}
		ran++
	}
	if ran < 5 {
		t.Errorf("only %d commands found", ran)
	}
}

// The README and the documents name files that exist.
func TestLinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil || len(documents) == 0 {
		t.Fatal(documents, err)
	}
	for _, document := range append(documents, "README.md", "CONTRIBUTING.md") {
		content, err := os.ReadFile(document)
		if err != nil {
			t.Error(err)
			continue
		}
		// Go's generics read like links.
		prose := regexp.MustCompile("(?s)```.*?```").ReplaceAllString(string(content), "")
		for _, link := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(prose, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(document), link[1])); err != nil {
				t.Errorf("%s links to %s: %v", document, link[1], err)
			}
		}
	}
}
