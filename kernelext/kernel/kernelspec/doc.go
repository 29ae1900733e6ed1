// Package kernelspec installs the kernel where Jupyter finds it, removes it, builds ahead what the first cell needs,
// and says what is missing on a machine.
//
// An installed kernel is one folder: kernel.json, the logos, and in bin the three programs the kernel is made of:
// unlearnlab itself, gonb and goimports. The last two are built from the versions that go.mod pins, with nothing asked
// of the network but the module cache.
package kernelspec

// Name is the kernel's name in notebooks; DisplayName is what JupyterLab shows.
const (
	Name        = "unlearnlab"
	DisplayName = "Unlearning (Go)"
)
