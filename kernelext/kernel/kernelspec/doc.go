// Package kernelspec installs the kernel where Jupyter finds it, and removes it. It also builds in advance what a
// notebook's first cell needs, and reports what is missing on a machine.
//
// An installed kernel is a folder with kernel.json, the logos, and a folder bin with the kernel's programs: unlearnlab
// itself, gonb, goimports, and gopls if it could be built. They are built from pinned versions, which the go command
// takes from the module cache or downloads.
package kernelspec

// Name is the kernel's name in notebooks. DisplayName is its name in JupyterLab.
const (
	Name        = "unlearnlab"
	DisplayName = "Unlearning (Go)"
)
