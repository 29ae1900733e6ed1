package store

import (
	"os/user"
	"path/filepath"
	"runtime"
	"testing"
)

func TestHome(t *testing.T) {
	cache := t.TempDir()
	t.Chdir(cache)
	t.Setenv("XDG_CACHE_HOME", cache)
	tests := []struct{ variable, folder, from string }{
		{"lab", filepath.Join(cache, "lab"), "$UNLEARNLAB_HOME"},
		{" " + filepath.Join(cache, "x") + "\n", filepath.Join(cache, "x"), "$UNLEARNLAB_HOME"},
		{" ", filepath.Join(cache, "unlearnlab"), "default"},
	}
	for _, test := range tests {
		t.Setenv(HomeVariable, test.variable)
		folder, from, err := Home()
		if test.from == "default" && runtime.GOOS != "linux" {
			test.folder = folder // this system has its cache folder elsewhere
		}
		if folder != test.folder || from != test.from || err != nil {
			t.Errorf("%q: %s, %s, %v", test.variable, folder, from, err)
		}
	}
	t.Setenv(HomeVariable, "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	own, err := user.Current()
	if runtime.GOOS != "linux" || err != nil {
		return
	}
	want := filepath.Join(own.HomeDir, ".cache", "unlearnlab")
	if folder, from, err := Home(); folder != want || from != Default || err != nil {
		t.Errorf("without $HOME: %s, %s, %v", folder, from, err)
	}
}
