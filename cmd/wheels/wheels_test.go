package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The tests run in the module's root, as the command does.
func TestMain(m *testing.M) {
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestIsSource(t *testing.T) {
	for file, want := range map[string]bool{
		"unlearnkit/stat/doc.go":                   true,
		"go.sum":                                   true,
		"notebooks/00-tour.ipynb":                  true,
		"data/results/salmu/results.go":            true,
		"data/results/salmu/mini/runs.parquet":     false,
		"unlearnkit/stat/doc_test.go":              false,
		"unlearnkit/safefile/testdata/speech.flac": false,
		"docs/scale.md":                            false,
		".ci/run":                                  false,
	} {
		if got := isSource(file); got != want {
			t.Errorf("%s: got %t, want %t", file, got, want)
		}
	}
}

// Every file in a wheel is in its RECORD with its checksum, and programs are executable.
func TestWheel(t *testing.T) {
	folder := t.TempDir()
	w, err := create(folder, project{Name: "two-words", Version: "1.0", Tag: "py3-none-any", Summary: "a test",
		Requires: []string{"other==1.0"}, Extras: []string{"lab"}})
	if err != nil {
		t.Fatal(err)
	}
	w.add(w.script("program"), []byte("#!/bin/sh\n"), 0o755)
	w.addKernel()
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	files := unzipped(t, filepath.Join(folder, "two_words-1.0-py3-none-any.whl"))
	record := files["two_words-1.0.dist-info/RECORD"]
	for name, content := range files {
		sum := sha256.Sum256([]byte(content))
		line := fmt.Sprintf("%s,sha256=%s,%d", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content))
		if strings.HasSuffix(name, "/RECORD") {
			line = name + ",,"
		}
		if !slices.Contains(strings.Split(record, "\n"), line) {
			t.Errorf("RECORD lacks the line %q", line)
		}
	}
	for _, want := range []string{"Name: two-words\n", "Requires-Dist: other==1.0\n", "Provides-Extra: lab\n"} {
		if !strings.Contains(files["two_words-1.0.dist-info/METADATA"], want) {
			t.Errorf("METADATA lacks %q", want)
		}
	}
	if kernel := files["two_words-1.0.data/data/share/jupyter/kernels/unlearnlab/kernel.json"]; !strings.Contains(kernel,
		`"{resource_dir}/../../../../bin/unlearnlab"`) {
		t.Errorf("got the kernel %s", kernel)
	}
}

// A missing file leaves no wheel.
func TestWheel_Missing(t *testing.T) {
	folder := t.TempDir()
	w, err := create(folder, project{Name: "p", Version: "1", Tag: "py3-none-any"})
	if err != nil {
		t.Fatal(err)
	}
	w.addFile("a", filepath.Join(folder, "missing"), 0o644)
	if err := w.close(); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("got the error %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestPlatform_Tag(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if tag, err := (platform{"linux", "amd64"}).tag(program); err != nil || !strings.HasPrefix(tag, "manylinux_2_") ||
		!strings.HasSuffix(tag, "_x86_64") {
		t.Errorf("got the tag %q, %v", tag, err)
	}
	if _, err := (platform{"plan9", "amd64"}).tag(program); err == nil {
		t.Error("got no error for Plan 9")
	}
}

func TestCommandProject(t *testing.T) {
	for _, kernel := range []bool{true, false} {
		described := string(commandProject("1.0", "win_amd64", kernel).metadata(nil))
		if got := strings.Contains(described, "Provides-Extra: lab\n"); got != kernel {
			t.Errorf("kernel %t: got the extra lab: %t", kernel, got)
		}
	}
	windows := platform{"windows", "amd64"}
	if got := windows.executable("unlearnlab"); got != "unlearnlab.exe" || windows.hasKernel() {
		t.Errorf("Windows: got the program %s, a kernel: %t", got, windows.hasKernel())
	}
}

func unzipped(t *testing.T, path string) map[string]string {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	files := map[string]string{}
	for _, f := range archive.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
		if program := strings.Contains(f.Name, "/scripts/"); program != (f.Mode()&0o100 != 0) {
			t.Errorf("%s has the mode %v", f.Name, f.Mode())
		}
	}
	return files
}
