//go:build linux

package launcher_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

// folderWith returns a new folder with symbolic links to programs.
func folderWith(t *testing.T, programs ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, p := range programs {
		if err := os.Symlink(p, filepath.Join(folder, filepath.Base(p))); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// oldModule returns the folder of a module whose go.mod requires an old version of gonb.
func oldModule(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	text := "module " + launcher.Module + "\n\ngo 1.26\n\nrequire github.com/janpfeifer/gonb v0.10.1 // indirect\n"
	if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestTrouble_Missing(t *testing.T) {
	bin, root := realTools(t)
	gonb, goimports := filepath.Join(bin, "gonb"), filepath.Join(bin, "goimports")
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, root, bin string
		environment     []string
		says            []string
	}{
		{"no gonb", root, folderWith(t, goimports), nil, []string{"gonb is not in", "unlearnlab kernel install"}},
		{"no goimports", root, folderWith(t, gonb), nil, []string{"goimports is not in", "unlearnlab kernel install"}},
		{"no Go", root, bin, []string{"PATH=" + folderWith(t, bash), "UNLEARNLAB_GO=/nowhere"},
			[]string{"go command is not on", "https://go.dev/dl"}},
		{"a home that cannot be written", root, bin, []string{"GOCACHE=" + blocked + "/cache"},
			[]string{"build cache", "cannot be written", "export GOCACHE="}},
		{"another version", oldModule(t), bin, nil,
			[]string{"installed with gonb v0.11.4", "needs v0.10.1", "unlearnlab kernel install"}},
		{"a module that has gone", "/nowhere", bin, nil,
			[]string{`"/nowhere" is no longer the folder`, "unlearnlab kernel install"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := startKernelIn(t, test.root, test.bin, test.environment...)
			request := s.send("%%\nfmt.Println()")
			got := s.outputs(request)
			for _, want := range append(test.says, "[this kernel cannot run cells: ") {
				if !strings.Contains(got, want) {
					t.Errorf("the cell says %q, want %q", got, want)
				}
			}
			if status := s.status(request); status != "error" {
				t.Errorf("status %s", status)
			}
			s.shutDown()
			s.nothingIsLeft()
		})
	}
}

// fetchingGo is a go command that reports the download of a toolchain on stderr, as the real one does.
const fetchingGo = `#!/bin/sh
echo "go: downloading $GOTOOLCHAIN" >&2
echo "{\"GOVERSION\": \"$GOTOOLCHAIN\"}"
`

// The kernel uses the toolchain of go.mod, whatever the machine's settings are.
func TestTrouble_Toolchain(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go":     fetchingGo,
		"go.mod": "module " + launcher.Module + "\n\ngo 1.26\n\ntoolchain go1.26.77\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("GOTOOLCHAIN", "local")
	if tools, _ := launcher.Examine(t.Context(), folder, folder); tools.GoVersion != "go1.26.77" {
		t.Errorf("the kernel's Go is %q", tools.GoVersion)
	}
}

func TestTrouble_Gonb(t *testing.T) {
	bin, root := realTools(t)
	s := startKernelIn(t, root, fakeGonb(t, bin))
	if got := s.outputs(s.send("%%")); !strings.Contains(got, "gonb did not start: out of luck") {
		t.Errorf("%q", got)
	}
}

// fakeGonb returns a tool folder whose gonb is a script that fails.
func fakeGonb(t *testing.T, bin string) string {
	t.Helper()
	folder := folderWith(t, filepath.Join(bin, "goimports"))
	if err := os.WriteFile(filepath.Join(folder, "gonb"), []byte("#!/bin/sh\necho out of luck >&2\nexit 1\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestTrouble_ModFlags(t *testing.T) {
	s := startKernel(t, "GOFLAGS=-mod=mod")
	request := s.send("%%\nfmt.Println(\"built\")")
	got := s.outputs(request)
	if !strings.Contains(got, "GOFLAGS has -mod=mod") || !strings.Contains(got, "built\n") {
		t.Errorf("%q", got)
	}
	if got := s.outputs(s.send("%%\nfmt.Println(\"again\")")); got != "again\n" {
		t.Errorf("the word is said twice: %q", got)
	}
}

// The folders of kernels that were killed with their guards are removed.
func TestTrouble_KilledKernels(t *testing.T) {
	bin, root := realTools(t)
	s := startKernelIn(t, root, bin)
	abandoned := filepath.Join(s.temp, "unlearn-123")
	foreign := filepath.Join(s.temp, "somebody-else")
	for _, folder := range []string{abandoned, foreign} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "lock"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.status(s.send("%%"))
	another := startKernelIn(t, root, bin, "TMPDIR="+s.temp)
	another.status(another.send("%%"))
	if _, err := os.Stat(abandoned); err == nil {
		t.Error("an abandoned folder stays")
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error("a folder of somebody else was removed")
	}
	if got := s.outputs(s.send("%%\nfmt.Println(\"alive\")")); got != "alive\n" {
		t.Errorf("a kernel that runs lost its folder: %q", got)
	}
}
