package repotest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

// fence returns the content of a document's only fenced block with head after its opening marks.
func fence(t *testing.T, document, head string) string {
	t.Helper()
	content, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```"+head+"\n(.*?)```").FindAllStringSubmatch(string(content), -1)
	if len(found) != 1 {
		t.Fatalf("%s has %d blocks %q", document, len(found), head)
	}
	return found[0][1]
}

const ownMethod = "docs/own-method.md"

// certifiedRows runs a command, which must print two rows of the method with verdicts.
func certifiedRows(t *testing.T, command *exec.Cmd) {
	t.Helper()
	command.Env = append(os.Environ(), "UNLEARNLAB_DEVICE=go", "UNLEARNLAB_HOME="+t.TempDir())
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	rows := regexp.MustCompile(`(?m)^Halfway/[15]x +.*[=▲▼?]`).FindAllString(string(output), -1)
	if len(rows) != 2 {
		t.Errorf("%d rows:\n%s", len(rows), output)
	}
}

// inPlace compiles a program as docs/ownmethod/main.go of this module, and returns a command that runs it. The source
// is in a temporary folder; an overlay maps it to that path.
func inPlace(t *testing.T, program string) *exec.Cmd {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	source, list := filepath.Join(folder, "main.go"), filepath.Join(folder, "overlay.json")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(root, "docs", "ownmethod", "main.go"): source}})
	if err == nil {
		err = os.WriteFile(source, []byte(program), 0o644)
	}
	if err == nil {
		err = os.WriteFile(list, overlay, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	built := filepath.Join(folder, "program")
	if output, err := exec.Command("go", "build", "-overlay", list, "-o", built, "./docs/ownmethod").
		CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	command := exec.Command(built)
	command.Dir = folder
	return command
}

func TestOwnMethod_Cell(t *testing.T) {
	integration.Test(t, "builds a program")
	declarations, body, found := strings.Cut(fence(t, ownMethod, "go cell"), "\n%%\n")
	if !found {
		t.Fatal("the cell has no %%")
	}
	// gonb generates the same program from this cell, with the imports that the kernel and goimports add.
	program := "package main\n\nimport \"context\"\n"
	for _, p := range launcher.Preloads(".") {
		name := p.Name
		if name == "" {
			name = path.Base(p.Path)
		}
		if strings.Contains(declarations+body, name+".") {
			program += p.Import() + "\n"
		}
	}
	program += declarations + "\nfunc main() {\n" + body + "}\n"
	certifiedRows(t, inPlace(t, program))
}

func TestOwnMethod_File(t *testing.T) {
	integration.Test(t, "builds a program")
	certifiedRows(t, inPlace(t, fence(t, ownMethod, "go file")))
}

// The commands run as printed and offline, because this module's dependencies have already been downloaded.
func TestOwnMethod_Module(t *testing.T) {
	integration.Test(t, "builds a program")
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	script := strings.ReplaceAll(fence(t, ownMethod, "sh module"), "../unlearnlab", root)
	save := fmt.Sprintf("cat > main.go <<'END OF FILE'\n%sEND OF FILE\n", fence(t, ownMethod, "go file"))
	lines := strings.SplitAfterN(script, "\n", 2)
	command := exec.Command("sh", "-e", "-c", lines[0]+save+"export GOPROXY=off\n"+lines[1])
	command.Dir = folder
	certifiedRows(t, command)
}
