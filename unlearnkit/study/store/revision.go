package store

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// Unknown replaces a value in a manifest that could not be determined.
const Unknown = "unknown"

// linked is the revision, set when the program is built:
//
//	go build -ldflags "-X github.com/unlearnlab/unlearnlab/unlearnkit/study/store.linked=$(git rev-parse HEAD)"
var linked string

// Revision returns the commit of the running program's source, followed by "+dirty" if the source was changed, or
// [Unknown]. It looks, in this order, at the build's flags, the compiler's record, and the checkout in which the
// program was compiled, if it still exists.
var Revision = sync.OnceValue(func() string {
	if linked != "" {
		return linked
	}
	info, _ := debug.ReadBuildInfo()
	if recorded := recordedRevision(info); recorded != "" {
		return recorded
	}
	_, source, _, _ := runtime.Caller(0)
	if revision := checkoutRevision(filepath.Dir(source)); revision != "" {
		return revision
	}
	return Unknown
})

// recordedRevision returns the revision that the compiler recorded, or "".
func recordedRevision(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	revision, changed := "", ""
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			changed = "+dirty"
		}
	}
	if revision == "" {
		return ""
	}
	return revision + changed
}

// checkoutRevision returns the revision of the checkout that contains a folder, or "".
func checkoutRevision(folder string) string {
	if !filepath.IsAbs(folder) {
		return "" // the compiler was asked to omit paths
	}
	git := func(arguments ...string) (string, error) {
		output, err := exec.Command("git", append([]string{"-C", folder}, arguments...)...).Output()
		return strings.TrimSpace(string(output)), err
	}
	revision, err := git("rev-parse", "HEAD")
	if err != nil {
		return ""
	}
	if changed, err := git("status", "--porcelain", "--untracked-files=no"); err != nil || changed != "" {
		revision += "+dirty"
	}
	return revision
}
