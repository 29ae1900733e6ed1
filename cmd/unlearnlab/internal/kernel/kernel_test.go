package kernel

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

// kernelVerb runs a subcommand of "unlearnlab kernel" and returns its output.
func kernelVerb(t *testing.T, args ...string) (string, error) {
	t.Helper()
	command := Command(func() launcher.Offers { return launcher.Offers{} })
	command.SilenceErrors, command.SilenceUsage = true, true
	var output bytes.Buffer
	command.SetArgs(args)
	command.SetOut(&output)
	command.SetErr(&output)
	err := command.Execute()
	return output.String(), err
}

func TestKernel_Mistakes(t *testing.T) {
	elsewhere := t.TempDir()
	tests := []struct {
		args []string
		says string
	}{
		{[]string{"instal"}, "do you mean install?"},
		{[]string{"install", "--user", "--prefix", "/x"}, "give only one of"},
		{[]string{"install", "--sys-prefix", "--prefix", "/x"}, "give only one of"},
		{[]string{"install", "--root", elsewhere}, "give --root"},
		{[]string{"warm", "--root", elsewhere}, "give --root"},
		{[]string{"uninstall", "--prefix", elsewhere}, "kernel doctor"},
		{[]string{"run"}, "--kernel is missing"},
		{[]string{"run", "--kernel", filepath.Join(elsewhere, "none.json"), "--flag-of-another-version"},
			"connection file"},
		{[]string{"guard", "x"}, "starts its guard itself"},
	}
	for _, test := range tests {
		if _, err := kernelVerb(t, test.args...); err == nil || !strings.Contains(err.Error(), test.says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("kernel %s: %v; want one line that says %q", strings.Join(test.args, " "), err, test.says)
		}
	}
}

func TestModule_FoundFromInside(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../../../kernelext/kernel/launcher")
	if got, err := moduleRoot(""); err != nil || got != root {
		t.Errorf("%s, %v; want %s", got, err, root)
	}
	if _, err := moduleRoot("."); err == nil {
		t.Error("a given folder that is not the module's was replaced by another")
	}
}

func TestDownloaded(t *testing.T) {
	proxy := t.TempDir()
	versions := filepath.Join(proxy, filepath.FromSlash(launcher.Module), "@v")
	if err := os.MkdirAll(versions, 0o755); err != nil {
		t.Fatal(err)
	}
	const module = "module " + launcher.Module + "\n"
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	file, err := w.Create(launcher.Module + "@v0.1.0/go.mod")
	if err == nil {
		_, err = io.WriteString(file, module)
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"v0.1.0.info": `{"Version":"v0.1.0"}`, "v0.1.0.mod": module,
		"v0.1.0.zip": archive.String()} {
		if err := os.WriteFile(filepath.Join(versions, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GONOSUMDB", "*")
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Chdir(t.TempDir())
	folder, err := downloaded("v0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "go.mod")); string(text) != module {
		t.Errorf("got %q, %v, want %q", text, err, module)
	}
	for _, version := range []string{"(devel)", "v0.1.0+dirty", "v0.2.0"} {
		if folder, err := downloaded(version); err == nil {
			t.Errorf("%s: got %s", version, folder)
		}
	}
}

func TestDoctor_JSON(t *testing.T) {
	t.Chdir(t.TempDir()) // not in the clone, where make lab may have installed a kernel
	t.Setenv("JUPYTER_DATA_DIR", t.TempDir())
	t.Setenv("VIRTUAL_ENV", t.TempDir())
	output, err := kernelVerb(t, "doctor", "--json")
	if err == nil {
		t.Error("a doctor without a kernel is content")
	}
	var report struct {
		OK       bool
		Findings []struct {
			OK         bool
			What, Mend string
		}
	}
	if err := json.Unmarshal([]byte(output), &report); err != nil || report.OK || len(report.Findings) == 0 ||
		report.Findings[0].Mend == "" {
		t.Errorf("%s: got the error %v, want report.OK false, length other than 0 of report.Findings, "+
			"report.Findings[0].Mend not empty",
			output, err)
	}
}
