package notebook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFind_Jupyter(t *testing.T) {
	near, far := t.TempDir(), t.TempDir()
	write := func(folder, name, text string) string {
		folder = filepath.Join(folder, "kernels", name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "kernel.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	t.Setenv("JUPYTER_PATH", near)
	t.Setenv("JUPYTER_DATA_DIR", far)
	t.Setenv("PRESET", "mini")
	folder := write(near, "unlearnlab",
		`{"argv":["{resource_dir}/bin/unlearnlab","{connection_file}"],"env":{"A":"${PRESET}"}}`)
	write(far, "unlearnlab", `{"argv":["another"]}`)
	write(far, "far", `{"argv":["far"]}`)
	write(far, "empty", `{"argv":[]}`)
	write(far, "broken", `{`)
	got, err := FindKernel("unlearnlab")
	want := Kernel{Argv: []string{filepath.Join(folder, "bin", "unlearnlab"), "{connection_file}"},
		Env: []string{"A=mini"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if k, err := FindKernel("far"); err != nil || k.Argv[0] != "far" {
		t.Errorf("%+v, %v", k, err)
	}
	for name, complaint := range map[string]string{"none": "unlearnlab kernel install", "empty": "argv is empty",
		"broken": "install again", "../up": "letters, digits"} {
		if _, err := FindKernel(name); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("%s: %v, want %q", name, err, complaint)
		}
	}
}

func TestDataFolders_Environment(t *testing.T) {
	t.Chdir(t.TempDir()) // not in the clone, where make lab may have installed a kernel
	environment := map[string]string{"VIRTUAL_ENV": "/venv", "JUPYTER_DATA_DIR": "/data",
		"JUPYTER_PATH": "/a" + string(os.PathListSeparator) + "/b"}
	got := dataFolders(func(key string) string { return environment[key] })
	want := []string{"/a", "/b", filepath.Join("/venv", "share", "jupyter"), "/data", "/usr/local/share/jupyter",
		"/usr/share/jupyter"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
