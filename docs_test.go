package unlearnlab

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The Go of a document is a whole program: each of its fences is a file of it. The program lies beside this test in the
// compiler's eyes alone.
func TestTheProgramOfOwnMethodCompilesAsItIsShown(t *testing.T) {
	content, err := os.ReadFile("docs/own-method.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	fences := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(content), -1)
	if len(fences) != 2 {
		t.Fatalf("%d files", len(fences))
	}
	folder, files := t.TempDir(), map[string]string{}
	for i, fence := range fences {
		name := fmt.Sprintf("file%d.go", i)
		if err := os.WriteFile(filepath.Join(folder, name), []byte(fence[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		files[filepath.Join(root, "docs", "ownmethod", name)] = filepath.Join(folder, name)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	compile := exec.Command("go", "list", "-export", "-overlay", list, "./docs/ownmethod") // links nothing
	if output, err := compile.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
