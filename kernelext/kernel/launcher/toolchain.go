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

// gonbModule is the module of the kernel behind the proxy.
const gonbModule = "github.com/janpfeifer/gonb"

// A Toolchain is what a kernel is made of on this machine.
type Toolchain struct {
	Root  string // folder of the module
	Tools string // folder with gonb and goimports

	GoVersion   string
	GoRoot      string // Go's own folder
	GonbVersion string
	Gopls       string // path; empty when it is not installed
	Flags       string // GOFLAGS as the kernel uses them
	DroppedFlag string // the -mod flag that was left out of GOFLAGS
	Cache       string // GOCACHE

	goBin, goPath string // where go install puts programs
}

// A Problem keeps the kernel from working. It says what is wrong and the command, or the step, that mends it.
type Problem struct {
	What string
	Mend string
}

func (p Problem) Error() string { return p.What + "; " + p.Mend }

// Examine finds out what the kernel would run with, and everything that is wrong with it.
func Examine(ctx context.Context, root, tools string) (Toolchain, []Problem) {
	t := Toolchain{Root: root, Tools: tools}
	var problems []Problem
	report := func(err error) {
		if p, ok := err.(Problem); ok {
			problems = append(problems, p)
		}
	}
	if unsupported := supported(); unsupported != nil {
		return t, []Problem{{unsupported.Name + " is not served", unsupported.Value}}
	}
	if err := t.checkRoot(); err != nil {
		return t, []Problem{err.(Problem)}
	}
	if err := t.askGo(ctx); err != nil {
		report(err)
	} else {
		report(checkFolder("Go's build cache", t.Cache,
			"set GOCACHE to a folder of yours: export GOCACHE=/path/you/own, then start JupyterLab again"))
	}
	for _, tool := range []string{"gonb", "goimports"} {
		report(t.checkTool(tool))
	}
	report(t.checkVersions())
	report(checkTemporary())
	t.Gopls = t.findGopls()
	return t, problems
}

// GoplsFolder is the folder, in that of the tools, of the language server: apart, because gonb starts one of its own
// when it finds it on PATH.
const GoplsFolder = "gopls"

// findGopls looks for the language server beside the kernel's tools, then on PATH, then where go install puts it.
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

// environment is what the language server and the go command below it see.
func (t *Toolchain) environment(root string) []string {
	var environment []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "GOFLAGS=") {
			environment = append(environment, e)
		}
	}
	return PinGo(append(environment, "GOFLAGS="+t.Flags, "GOWORK=off"), root)
}

// facts are what the status shows of it.
func (t *Toolchain) facts(command string) []fact {
	completion := "none: unlearnlab kernel install brings it, for completion of Go"
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
			"run this in the folder where it is now: unlearnlab kernel install"}
	}
	return nil
}

// GoFolder names the variable in which an installed kernel finds the folder of the go command, when the Jupyter server
// was started without it on PATH.
const GoFolder = "UNLEARNLAB_GO"

// findGo makes sure that the go command is on PATH.
func findGo() error {
	if _, err := exec.LookPath("go"); err == nil {
		return nil
	}
	if folder := os.Getenv(GoFolder); folder != "" {
		if _, err := exec.LookPath(filepath.Join(folder, "go")); err == nil {
			return prependPath(folder)
		}
	}
	return Problem{"the go command is not on this kernel's PATH",
		"install Go 1.21 or later from https://go.dev/dl, put its bin folder on PATH, and start JupyterLab again"}
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
	var complaint strings.Builder // apart from the output: a download of Go is told there too
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

// WorkspaceFlags takes -mod out of a GOFLAGS: in a workspace, which every notebook is, the go command refuses -mod=mod.
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

// checkVersions compares the gonb that runs with the one whose display package the cells link: they speak to each other
// in their own format.
func (t *Toolchain) checkVersions() error {
	info, err := buildinfo.ReadFile(filepath.Join(t.Tools, "gonb"))
	if err != nil {
		return nil // its absence is reported already
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == gonbModule && m.Version != "" {
			t.GonbVersion = m.Version
		}
	}
	required := requiredVersion(filepath.Join(t.Root, "go.mod"), gonbModule)
	if t.GonbVersion != "" && required != "" && t.GonbVersion != required {
		return Problem{fmt.Sprintf("this kernel was installed with gonb %s, and %s needs %s: two versions would not "+
			"understand each other", t.GonbVersion, t.Root, required),
			"run: cd " + t.Root + " && unlearnlab kernel install"}
	}
	return nil
}

// PinnedGo is the toolchain that go.mod in root names; empty when it names none. The instructions of GOEXPERIMENT=simd
// change between releases of Go, so cells build with this one, whichever is installed.
func PinnedGo(root string) string { return requiredVersion(filepath.Join(root, "go.mod"), "toolchain") }

// PinGo adds to an environment what makes every go command use the toolchain of the module in root.
func PinGo(environment []string, root string) []string {
	if pinned := PinnedGo(root); pinned != "" {
		return append(environment, "GOTOOLCHAIN="+pinned)
	}
	return environment
}

// requiredVersion reads a module's version from a go.mod, or the toolchain's.
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

// checkFolder says whether files can be made in a folder.
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

// checkTemporary says whether the folder of temporary files can hold a kernel.
func checkTemporary() error {
	const mend = "set TMPDIR to a folder of yours on a local disk: export TMPDIR=/path/you/own, then start " +
		"JupyterLab again"
	folder, err := os.MkdirTemp("", folderPrefix+"*")
	if err != nil {
		return Problem{"no temporary folder can be made: " + err.Error(), mend}
	}
	defer os.RemoveAll(folder)
	if err := holdsPipes(folder); err != nil {
		return Problem{fmt.Sprintf("the folder of temporary files, %s, is not fit for a kernel: %v", os.TempDir(), err),
			mend}
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
