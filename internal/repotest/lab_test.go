package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// offline replaces a Python interpreter whose pip is offline.
const offline = `#!/bin/sh
case "$2" in
venv) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
pip) echo "ERROR: No matching distribution found for anyio" >&2; exit 1 ;;
esac
`

// The first start without internet access explains that it needs the internet.
func TestLab_Offline(t *testing.T) {
	folder := t.TempDir() // the script installs everything below its own folder
	for _, name := range []string{"scripts/lab", "go.mod", "scripts/jupyter/requirements.txt"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	python := filepath.Join(folder, "python3")
	if err := os.WriteFile(python, []byte(offline), 0o755); err != nil {
		t.Fatal(err)
	}
	lab := exec.Command(filepath.Join(folder, "scripts/lab"), "--set-up")
	lab.Env = append(os.Environ(), "PYTHON="+python)
	said, err := lab.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	last := lines[len(lines)-1]
	if err == nil || !strings.HasPrefix(last, "lab: JupyterLab is not installed, for what pip says above;") ||
		!strings.Contains(last, "needs the internet") {
		t.Errorf(`got %v: %s, want an error, "lab: JupyterLab is not installed, for what pip says above;" at the `+
			`beginning of last, "needs the internet" in last`,
			err, said)
	}
}
