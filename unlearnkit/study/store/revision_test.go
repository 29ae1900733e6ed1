package store

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
)

func TestRevision_Recorded(t *testing.T) {
	commit, changed := debug.BuildSetting{Key: "vcs.revision", Value: "8c2f"},
		debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, test := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, ""}, {&debug.BuildInfo{}, ""}, {&debug.BuildInfo{Settings: []debug.BuildSetting{commit}}, "8c2f"},
		{&debug.BuildInfo{Settings: []debug.BuildSetting{commit, changed}}, "8c2f+dirty"},
	} {
		if got := recordedRevision(test.info); got != test.want {
			t.Errorf("%+v is revision %q, want %q", test.info, got, test.want)
		}
	}
}

func TestRevision_Checkout(t *testing.T) {
	folder := t.TempDir()
	if got := checkoutRevision("store"); got != "" {
		t.Errorf("without a path it is %q", got)
	}
	if got := checkoutRevision(folder); got != "" {
		t.Errorf("in an empty folder it is %q", got)
	}
	source := filepath.Join(folder, "source.go")
	git := func(arguments ...string) error {
		return exec.Command("git", append([]string{"-C", folder, "-c", "user.name=n", "-c", "user.email=e"},
			arguments...)...).Run()
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	if err := git("init", "-q"); err != nil {
		t.Fatal(err)
	}
	err := errors.Join(os.WriteFile(source, []byte("one"), 0o644), git("add", "."), git("commit", "-qm", "one"))
	if err != nil {
		t.Fatal(err)
	}
	clean := checkoutRevision(folder)
	if !regexp.MustCompile(`^[0-9a-f]{40,64}$`).MatchString(clean) {
		t.Errorf("it is %q", clean)
	}
	if err := os.WriteFile(source, []byte("two"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := checkoutRevision(folder); got != clean+"+dirty" {
		t.Errorf("changed it is %q", got)
	}
}

func TestManifest_Maker(t *testing.T) {
	for field, value := range map[string]string{"revision": Revision(), "processor": processor()} {
		if value == "" || strings.ContainsAny(value, "\n\t") {
			t.Errorf("%s is %q", field, value)
		}
	}
	b := do(t, open(t, t.TempDir()), spec{1, 1}).Manifest.Build
	if b.Revision != Revision() || b.Processor != processor() || b.SIMD != Unknown || b.Backend == "" {
		t.Errorf("%+v", b)
	}
}
