package store

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// Unknown stands in a manifest where nothing could be found out, and Unrecorded where nobody looked.
const (
	Unknown    = "unknown"
	Unrecorded = "unrecorded"
)

// linked is the revision that a build sets:
//
//	go build -ldflags "-X github.com/unlearnlab/unlearnlab/unlearnkit/study/store.linked=$(git rev-parse HEAD)"
var linked string

// Revision is the commit of the running program's source, with "+dirty" after it where the source was changed, or
// [Unknown]. It is what the build was told, else what the compiler has recorded, else that of the checkout in which the
// program was compiled, if it is still there.
var Revision = sync.OnceValue(func() string {
	if linked != "" {
		return linked
	}
	info, _ := debug.ReadBuildInfo()
	if recorded := recordedRevision(info); recorded != "" {
		return recorded
	}
	_, source, _, _ := runtime.Caller(0)
	if revision := checkedOut(filepath.Dir(source)); revision != "" {
		return revision
	}
	return Unknown
})

// recordedRevision is what the compiler knows, "" if nothing.
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

// checkedOut is the revision of the checkout that has a folder, "" if there is none.
func checkedOut(folder string) string {
	if !filepath.IsAbs(folder) {
		return "" // the compiler was told to leave paths out
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
