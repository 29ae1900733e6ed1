package kernelspec

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

var regenerate = flag.Bool("regen", false, "write the golden kernel.json files anew")

func TestKernelJSON(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs Unix: the golden files have its paths")
	}
	tests := map[string]Style{
		"launcher": {}, "ci": {CI: true}, "plain": {Plain: true}, "plain-ci": {Plain: true, CI: true},
	}
	for name, style := range tests {
		got, err := describe("/kernels/unlearnlab/bin", "/lab", style,
			map[string]string{"GOEXPERIMENT": "simd", "UNLEARNLAB_GO": "/usr/local/go/bin"})
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name+".json")
		if *regenerate {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// caches returns the user's Go caches. The caches in a test's own home would be empty.
var caches = sync.OnceValue(func() []string {
	output, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		panic(err)
	}
	return strings.Fields(string(output))
})

// here sets the home, Jupyter's folders and its prefixes to subfolders of a temporary folder, which it returns.
func here(t *testing.T) string {
	t.Helper()
	t.Setenv("GOCACHE", caches()[0])
	t.Setenv("GOMODCACHE", caches()[1])
	folder := t.TempDir()
	for name, value := range map[string]string{"HOME": folder + "/home", "JUPYTER_DATA_DIR": "", "XDG_DATA_HOME": "",
		"VIRTUAL_ENV": folder + "/env", "CONDA_PREFIX": ""} {
		t.Setenv(name, value)
	}
	// The go command counts its calls in the home, perhaps after the test has ended.
	telemetry := filepath.Join(folder, "home", ".config", "go", "telemetry")
	if err := os.MkdirAll(telemetry, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(telemetry, "mode"), []byte("off"), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}

// Kernels are installed in folders that Jupyter searches.
func TestPlaces(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux: places differ between systems")
	}
	folder := here(t)
	tests := []struct {
		name  string
		place Place
		env   [2]string
		want  string
	}{
		{"user", Place{}, [2]string{}, folder + "/home/.local/share/jupyter"},
		{"user with XDG", Place{}, [2]string{"XDG_DATA_HOME", "/xdg"}, "/xdg/jupyter"},
		{"user with Jupyter's variable", Place{}, [2]string{"JUPYTER_DATA_DIR", "/data"}, "/data"},
		{"virtual environment", Place{SysPrefix: true}, [2]string{}, folder + "/env/share/jupyter"},
		{"conda", Place{SysPrefix: true}, [2]string{"CONDA_PREFIX", "/conda"}, folder + "/env/share/jupyter"},
		{"prefix", Place{Prefix: "/opt/lab"}, [2]string{}, "/opt/lab/share/jupyter"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.env[0] != "" {
				t.Setenv(test.env[0], test.env[1])
			}
			if got, err := test.place.Folder(context.Background()); err != nil ||
				got != test.want+"/kernels/unlearnlab" {
				t.Errorf("%s, %v; want %s", got, err, test.want)
			}
		})
	}
	if _, err := (Place{Prefix: "/a", SysPrefix: true}).Folder(context.Background()); err == nil {
		t.Error("two places at once were taken")
	}
}

func TestInstalled_Lab(t *testing.T) {
	folder := here(t)
	t.Chdir(folder)
	if found := Installed(t.Context()); len(found) > 0 {
		t.Fatalf("found %v, want none", found)
	}
	want := filepath.Join(folder, ".lab", "venv", "share", "jupyter", "kernels", Name)
	below := filepath.Join(folder, "docs", "deep")
	for _, made := range []string{want, below} {
		if err := os.MkdirAll(made, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(want, "kernel.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{folder, below} {
		t.Chdir(from)
		if diff := cmp.Diff([]string{want}, Installed(t.Context())); diff != "" {
			t.Errorf("from %s: %s", from, diff)
		}
	}
}

func TestInstall_Uninstall(t *testing.T) {
	integration.Test(t, "builds gonb and gopls")
	folder := here(t)
	command := filepath.Join(folder, "unlearnlab")
	if err := os.WriteFile(command, []byte("the command"), 0o755); err != nil {
		t.Fatal(err)
	}
	k := Kernel{Place: Place{Prefix: folder + "/lab"}, Root: "../../..", Command: command}
	var notes []string
	k.Note = func(text string) { notes = append(notes, text) }
	for range 2 { // the second kernel replaces the first
		installed, err := Install(context.Background(), k)
		if err != nil {
			t.Fatal(err)
		}
		checkInstalled(t, installed)
		_, err = os.Stat(filepath.Join(installed, "bin", launcher.GoplsFolder, "gopls"))
		if said := len(notes) > 0; said == (err == nil) {
			t.Errorf("gopls: %v, and the installer says %q", err, notes)
		}
		notes = nil
		if entries, _ := os.ReadDir(filepath.Dir(installed)); len(entries) != 1 {
			t.Errorf("beside the kernel stay %v", entries)
		}
	}
	if _, err := Uninstall(context.Background(), k.Place); err != nil {
		t.Fatal(err)
	}
	if _, err := Uninstall(context.Background(), k.Place); err == nil ||
		!strings.Contains(err.Error(), "kernel doctor") {
		t.Errorf("a kernel was removed twice: %v", err)
	}
}

func checkInstalled(t *testing.T, folder string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s specification
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{s.Argv[0], filepath.Join(folder, "bin", "goimports"),
		filepath.Join(folder, "bin", "gonb")} {
		if info, err := os.Stat(program); err != nil || info.Mode().Perm()&0o100 == 0 {
			t.Errorf("%s: %v", program, err)
		}
	}
	info, err := buildinfo.ReadFile(filepath.Join(folder, "bin", "gonb"))
	if err != nil || info.Path != "github.com/janpfeifer/gonb" {
		t.Errorf("gonb is %+v, %v", info, err)
	}
	if root, err := rootOf(folder); err != nil || !filepath.IsAbs(root) {
		t.Errorf("root %q, %v", root, err)
	}
}

func TestInstall_FailureKeepsOld(t *testing.T) {
	folder := here(t)
	k := Kernel{Place: Place{Prefix: folder}, Root: folder, Command: "/nowhere"}
	target, err := k.Folder(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(target, "kernel.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Install(context.Background(), k); err == nil {
		t.Fatal("installed from a folder that is no module")
	}
	entries, err := os.ReadDir(filepath.Dir(target))
	if err != nil || len(entries) != 1 {
		t.Errorf("left %v, %v", entries, err)
	}
	if text, err := os.ReadFile(filepath.Join(target, "kernel.json")); err != nil || string(text) != "{}" {
		t.Errorf("the old kernel is now %q, %v", text, err)
	}
}

func TestDoctor_Advice(t *testing.T) {
	here(t)
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // not in the clone, where make lab may have installed a kernel
	findings := Doctor(context.Background(), root)
	if Healthy(findings) {
		t.Error("healthy without a kernel")
	}
	if first := findings[0].String(); !strings.HasPrefix(first, "MISSING") ||
		!strings.Contains(first, "run: unlearnlab kernel install") {
		t.Errorf("%s", first)
	}
	for _, f := range findings {
		if strings.Contains(f.String(), "\n") || !f.OK && f.Mend == "" {
			t.Errorf("%q is not one line with a cure", f)
		}
	}
	outside := Doctor(context.Background(), "")
	if len(outside) != 1 || !strings.Contains(outside[0].String(), "run in a clone") {
		t.Errorf("without a kernel and outside a clone: %v", outside)
	}
}

// Only a clone has the language server's module, so nobody is sent to build it elsewhere.
func TestGopls_NoModule(t *testing.T) {
	root := t.TempDir()
	err := buildGopls(t.Context(), filepath.Join(t.TempDir(), "gopls"), root)
	if err == nil || !strings.Contains(err.Error(), "a clone has it") {
		t.Errorf("got the error %v", err)
	}
	advice := func(root string) string {
		findings := versions(launcher.Toolchain{}, root)
		return findings[len(findings)-1].Mend
	}
	if got := advice(root); !strings.Contains(got, "from a clone") {
		t.Errorf("without the module, got the advice %q", got)
	}
	clone, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if got := advice(clone); !strings.Contains(got, "unlearnlab kernel install") {
		t.Errorf("in a clone, got the advice %q", got)
	}
}

func TestDoctor_InstalledKernel(t *testing.T) {
	integration.Test(t, "builds gonb and gopls, and warms the cache")
	folder := here(t)
	t.Setenv("GOFLAGS", "-mod=mod")
	command, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Install(context.Background(),
		Kernel{Place: Place{SysPrefix: true}, Root: "../../..", Command: command}); err != nil {
		t.Fatal(err)
	}
	findings := Doctor(context.Background(), "/nowhere")
	var text bytes.Buffer
	for _, f := range findings {
		text.WriteString(f.String() + "\n")
	}
	for _, want := range []string{folder + "/env", "gonb v0.", "GOFLAGS has -mod=mod", "a cell builds in"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the doctor does not say %q", want)
		}
	}
	if !Healthy(findings) {
		t.Errorf("not healthy:\n%s", &text)
	}
}

func TestLogo_Sizes(t *testing.T) {
	for name, size := range map[string]int{"logo-64x64.png": 64, "logo-32x32.png": 32} {
		data, err := logos.ReadFile("logo/" + name)
		if err != nil {
			t.Fatal(err)
		}
		image, err := png.DecodeConfig(bytes.NewReader(data))
		if err != nil || image.Width != size || image.Height != size {
			t.Errorf("%s: %+v, %v", name, image, err)
		}
	}
}

func ExampleFinding() {
	fmt.Println(Finding{OK: true, What: "gonb v0.11.5 and goimports"})
	fmt.Println(Finding{What: "no kernel where Jupyter looks", Mend: "run: unlearnlab kernel install"})
	// Output:
	// ok      gonb v0.11.5 and goimports
	// MISSING no kernel where Jupyter looks; run: unlearnlab kernel install
}
