//go:build unix

package gopls

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
)

// programFolder is the folder into which [program] is built.
var programFolder string

// program builds the real language server once and returns its path.
var program = sync.OnceValues(func() (path string, err error) {
	if programFolder, err = os.MkdirTemp("", "gopls-test"); err != nil {
		return "", err
	}
	command := exec.Command("go", "build", "-ldflags=-s", "-o", programFolder+"/", "golang.org/x/tools/gopls")
	command.Dir = "../../../scripts/jupyter/gopls"
	if output, err := command.CombinedOutput(); err != nil {
		return "", errors.New(string(output))
	}
	return filepath.Join(programFolder, "gopls"), nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(programFolder)
	os.Exit(code)
}

// open connects a kernel to a real server, which it starts if none listens below temp.
func open(t *testing.T, temp string) *Client {
	t.Helper()
	integration.Test(t, "starts the real gopls")
	path, err := program()
	if err != nil {
		t.Skipf("needs the modules of gopls, which cannot be had here: %v", err)
	}
	t.Setenv("TMPDIR", temp)
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := WriteModule(folder, root, "github.com/unlearnlab/unlearnlab", at("‸")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	c, err := Open(ctx, Server{Program: path, Environment: append(os.Environ(), "GOFLAGS=", "GOWORK=off")}, folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if c.Started != 0 {
		t.Cleanup(func() {
			if p, err := os.FindProcess(c.Started); err == nil {
				p.Kill()
			}
		})
	}
	return c
}

// at returns a program with body in main and the cursor at the mark ‸.
func at(body string) Document {
	const head = "package main\nimport (\"fmt\"; kx \"github.com/unlearnlab/unlearnlab/kernelext\"; \"github.com/" +
		"unlearnlab/unlearnlab/unlearnkit/stat\")\nfunc main() {\n"
	before, after, _ := strings.Cut(head+body, "‸")
	line := strings.Count(before, "\n")
	return Document{Main: before + after + "\n}\n", Cells: "package main\nfunc double(x int) int { return 2 * x }\n",
		At: Position{line, len(before) - strings.LastIndexByte(before, '\n') - 1}}
}

// Kernels share one server, which completes names from the packages that the cells import.
func TestServer_SharedByKernels(t *testing.T) {
	temp, err := os.MkdirTemp("", "g") // t.TempDir's path is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(temp) })
	first := open(t, temp)
	second := open(t, temp)
	if first.Started == 0 || second.Started != 0 {
		t.Errorf("servers started: %d and %d, want one", first.Started, second.Started)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	for _, c := range []*Client{first, second} {
		for body, want := range map[string]string{"kx.‸": "Table", "fmt.Prin‸": "Println", "doub‸": "double",
			"stat.Wilc‸": "Wilcoxon"} {
			matches, err := c.Complete(ctx, at(body))
			found := 0
			for _, m := range matches {
				if m.Text == want && m.Kind == "function" {
					found++
				}
			}
			if err != nil || found != 1 {
				t.Errorf("%s: %q is %d times among %v, %v", body, want, found, matches, err)
			}
		}
		text, err := c.Hover(ctx, at("fmt.Println(stat.Wil‸coxon(nil, nil))"))
		if err != nil || !strings.Contains(text, "signed-rank") {
			t.Errorf("%q, %v", text, err)
		}
	}
}

func TestServer_EndNoticed(t *testing.T) {
	temp, err := os.MkdirTemp("", "g")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(temp) })
	c := open(t, temp)
	p, err := os.FindProcess(c.Started)
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	for end := time.Now().Add(10 * time.Second); !c.Over(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nobody noticed")
		}
	}
	if _, err := c.Complete(context.Background(), at("kx.‸")); !errors.Is(err, errEnded) {
		t.Errorf("%v", err)
	}
}

func TestCheckPrivate_ForeignFolder(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := checkPrivate(folder); err == nil || !strings.Contains(err.Error(), "this user alone") {
		t.Errorf("%v", err)
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := checkPrivate(folder); err != nil {
		t.Error(err)
	}
}

// The module of the cells has the requirements of the laboratory's module.
func TestModuleFile_Requires(t *testing.T) {
	const text = "module example.com/lab\n\ngo 1.26\n\nrequire example.com/a v1.0.0\n\n" +
		"tool (\n\texample.com/a/cmd\n)\n\ntool example.com/b\n"
	got := moduleFile(text, "/the lab", "example.com/lab")
	for _, want := range []string{"module cells\n", "go 1.26\n", "require example.com/a v1.0.0\n",
		"require example.com/lab v0.0.0\n", "replace example.com/lab => \"/the lab\"\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
	if strings.Contains(got, "tool") || strings.Contains(got, "cmd") {
		t.Errorf("tools are left in %s", got)
	}
}
