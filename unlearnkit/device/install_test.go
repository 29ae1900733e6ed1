//go:build cgo && linux && amd64 && !noxla

package device_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// A failed installation leaves no files, and its error says what to do.
func TestInstall_Failure(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	home := t.TempDir()
	t.Setenv(device.HomeVariable, home)
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	t.Setenv("PIP_FIND_LINKS", "")
	t.Setenv("PIP_EXTRA_INDEX_URL", "")
	t.Setenv("PIP_INDEX_URL", server.URL)
	for _, test := range []struct{ kind, project, says string }{
		{"cpu", "", "index-url"},
		{"cpu", device.Wheels("cpu")[1], "fastatomstruct"},
		{"cuda", "", "cuda13"},
		{"tpu", "", "no tpu plugin"},
		{"cpu", "jax-cuda13-pjrt", "no cpu plugin comes from"},
	} {
		_, err := device.Install(t.Context(), test.kind, test.project, nil)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %s: %v", test.kind, test.project, err)
		}
	}
	err := filepath.WalkDir(home, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestInstall_Existing(t *testing.T) {
	whole := plugin(t)
	if !device.Pinned(t, whole) {
		t.Skip("needs a pinned plugin: unlearnlab device install cpu fetches one")
	}
	home := t.TempDir()
	t.Setenv(device.HomeVariable, home)
	t.Setenv("PIP_INDEX_URL", "http://127.0.0.1:1") // no server answers there
	path := filepath.Join(home, "plugins", "pjrt_c_api_cpu_plugin.so")
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(whole, path); err != nil {
		t.Fatal(err)
	}
	installed, err := device.Install(t.Context(), "cpu", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !installed.Already || installed.Plugin.Path != path || installed.Plugin.Version == "" {
		t.Errorf("%+v", installed)
	}
}

// Without a network, the error names the host once, and not every wheel that was tried.
func TestInstall_NoNetwork(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	host := strings.TrimPrefix(server.URL, "http://")
	server.Close()
	t.Setenv(device.HomeVariable, t.TempDir())
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	t.Setenv("PIP_FIND_LINKS", "")
	t.Setenv("PIP_EXTRA_INDEX_URL", "")
	t.Setenv("PIP_INDEX_URL", server.URL)
	_, err := device.Install(t.Context(), "cpu", "", nil)
	if err == nil || !strings.HasPrefix(err.Error(), host+" cannot be reached; check the network") {
		t.Errorf("got %v, want that %s cannot be reached", err, host)
	}
}
