// Package kernelspec installs the kernel where Jupyter finds it, and removes it. It builds in advance what the first
// cell needs, and reports what is missing on a machine.
//
// An installed kernel is one folder with kernel.json, the logos, and in bin the kernel's programs: unlearnlab itself,
// gonb, goimports, and gopls if it could be built. They are built from pinned versions, which the go command takes from
// the module cache or downloads.
package kernelspec

// Name is the kernel's name in notebooks. DisplayName is shown by JupyterLab.
const (
	Name        = "unlearnlab"
	DisplayName = "Unlearning (Go)"
)
