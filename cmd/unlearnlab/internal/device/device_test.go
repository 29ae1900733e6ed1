package device

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// withoutPlugins gives the test its own home and hides this machine's plugins. If it cannot hide them, it skips the
// test.
func withoutPlugins(t *testing.T) (home string) {
	home = t.TempDir()
	t.Setenv(device.Variable, "")
	t.Setenv(device.HomeVariable, home)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", "")
	for _, plugin := range device.Found() {
		t.Skipf("needs a machine without plugins for all users, such as %s", plugin.Path)
	}
	return home
}

// brokenPlugin writes an invalid plugin into a folder that is searched for plugins, and returns its path.
func brokenPlugin(t *testing.T, home string) string {
	t.Helper()
	path := filepath.Join(home, "plugins", "pjrt_c_api_cpu_plugin.so")
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("no plugin"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// The command and the kernel use the same home.
func TestDevice_KernelsHome(t *testing.T) {
	for _, home := range []string{"", t.TempDir()} {
		t.Setenv(kernelext.HomeVariable, home)
		folder, _, err := store.Home()
		if lab := kernelext.Lab(); err != nil || folder != lab.Home.Value {
			t.Errorf("%s and %s, %v", folder, lab.Home, err)
		}
	}
	if device.Variable != kernelext.DeviceVariable || device.HomeVariable != kernelext.HomeVariable {
		t.Error("the variables have other names in cells")
	}
}

func TestList_SpeedAndRefused(t *testing.T) {
	path := brokenPlugin(t, withoutPlugins(t))
	code, stdout, stderr := cmd.Run("device", "list", "--json")
	var devices []listedDevice
	if err := json.Unmarshal([]byte(stdout), &devices); err != nil || code != 0 || len(devices) != 2 {
		t.Fatalf("exit %d, %v, %s%s", code, err, stdout, stderr)
	}
	if first := devices[0]; first.Name != "go" || !first.Chosen || first.GFLOPS <= 0 || first.Why == "" {
		t.Errorf(`got %+v, want Name "go", Chosen true, GFLOPS more than 0, Why not empty`, first)
	}
	if second := devices[1]; second.Name != "xla:cpu" || second.Chosen || second.Plugin != path ||
		!strings.Contains(second.Error, path) {
		t.Errorf(`got %+v, want Name "xla:cpu", Chosen false, Plugin %v, %q in Error`, second, path, path)
	}
	code, stdout, _ = cmd.Run("device", "list")
	if code != 0 || !strings.Contains(stdout, "* go ") || !strings.Contains(stdout, "refused: "+path) ||
		!strings.Contains(stdout, "GFLOP/s") {
		t.Errorf("exit %d\n%s", code, stdout)
	}
	t.Setenv(device.Variable, "abacus")
	if code, _, stderr = cmd.Run("device", "list"); code != cli.ExitFailed ||
		!strings.Contains(stderr, "$"+device.Variable) {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

func TestDevice_WrongUsage(t *testing.T) {
	for _, line := range []string{"device nothing", "device list x", "device install", "device install gpu",
		"device install cpu cuda", "device install cpu --wheel jax-cuda13-pjrt", "doctor x"} {
		if code, _, stderr := cmd.Run(strings.Fields(line)...); code != cli.ExitUsage || strings.Count(stderr,
			"\n") != 1 {
			t.Errorf("%s: exit %d, %s", line, code, stderr)
		}
	}
}

func TestDoctor_SettingsSource(t *testing.T) {
	home := withoutPlugins(t)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	tests := []struct {
		args          []string
		wish          string
		home, device  setting
		ok            bool
		backend, says string
	}{
		{nil, "", setting{home, "$" + device.HomeVariable}, setting{"auto", "default"}, true, "go", ""},
		{nil, "go:plain", setting{home, "$" + device.HomeVariable}, setting{"go:plain", "$" + device.Variable}, true,
			"go:plain", ""},
		{[]string{"--device", "go", "--home", elsewhere}, "abacus", setting{elsewhere, "--home"},
			setting{"go", "--device"}, true, "go", ""},
		{nil, "abacus", setting{home, "$" + device.HomeVariable}, setting{"abacus", "$" + device.Variable}, false, "",
			"abacus"},
	}
	for _, test := range tests {
		t.Setenv(device.HomeVariable, home)
		t.Setenv(device.Variable, test.wish)
		code, stdout, stderr := cmd.Run(append([]string{"doctor", "--json"}, test.args...)...)
		var got diagnosis
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatalf("%v: %s%s", err, stdout, stderr)
		}
		if got.OK != test.ok || (code == cli.ExitDone) != test.ok || got.Backend != test.backend ||
			got.Home != test.home ||
			got.Device != test.device || !strings.Contains(stderr, test.says) {
			t.Errorf("%v: exit %d, %+v, %s", test.args, code, got, stderr)
		}
		if got.OK && (got.GFLOPS <= 0 || got.Why == "" || got.Cores < 1 || got.SIMD == "" ||
			!strings.HasPrefix(got.Go, "go")) {
			t.Errorf("%v: %+v", test.args, got)
		}
	}
}

// The doctor names a plugin that cannot be loaded, and still succeeds.
func TestDoctor_RefusedPlugin(t *testing.T) {
	path := brokenPlugin(t, withoutPlugins(t))
	code, stdout, stderr := cmd.Run("doctor")
	if code != cli.ExitDone || !strings.Contains(stdout, "refused   "+path+" is not a shared library") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}

func TestDoctor_BadHome(t *testing.T) {
	withoutPlugins(t)
	older := clitest.File(t, "store.json", `{"format":"unlearnlab store","version":0}`)
	for home, says := range map[string]string{clitest.File(t, "no folder", ""): "not a directory",
		filepath.Dir(older): "it has format 0"} {
		code, stdout, stderr := cmd.Run("doctor", "--home", home)
		if code != cli.ExitFailed || !strings.Contains(stdout, "WRONG") || !strings.Contains(stderr, says) ||
			!strings.Contains(stderr, device.HomeVariable) {
			t.Errorf("exit %d\n%s%s", code, stdout, stderr)
		}
	}
}
