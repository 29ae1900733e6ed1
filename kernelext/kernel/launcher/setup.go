package launcher

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// A Preload is a package that cells may use without an import line.
type Preload struct {
	Name string // in the cell, when it is not the last element of the path
	Path string // below the module
}

// preloads lists what cells find imported, where it exists.
var preloads = []Preload{
	{"kx", "kernelext"},
	{"", "unlearnkit/stat"},
	{"", "unlearnkit/metric"},
	{"", "unlearnkit/audit"},
	{"", "unlearnkit/printed"},
	{"", "unlearnkit/report"},
	{"", "data/papers"},
}

// Preloads returns the packages of the module in root that cells find imported.
func Preloads(root string) []Preload {
	var found []Preload
	for _, p := range preloads {
		if files, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(p.Path), "*.go")); len(files) > 0 {
			found = append(found, p)
		}
	}
	return found
}

// Import returns the line that imports the package.
func (p Preload) Import() string {
	return strings.TrimSpace(fmt.Sprintf("import %s %q", p.Name, Module+"/"+p.Path))
}

// BuildFlags are what the kernel gives go build: without what only debuggers read a cell links faster, and traces keep
// their lines.
var BuildFlags = []string{"-ldflags=-s", "-gcflags=all=-dwarf=false"}

// setupCell is the hidden cell that runs before the first: no downloads while a cell builds, and the imports.
func setupCell(root string) string {
	lines := []string{"%noautoget", "%goflags " + strings.Join(BuildFlags, " ")}
	for _, p := range Preloads(root) {
		lines = append(lines, p.Import())
	}
	return strings.Join(lines, "\n") + "\n"
}

// setUp runs the set-up cell on gonb before anybody else is connected to it.
func setUp(ctx context.Context, c wire.Connection, root string) error {
	peer, err := wire.Dial(ctx, c, wire.Shell, "set-up")
	if err != nil {
		return err
	}
	defer peer.Close()
	defer context.AfterFunc(ctx, func() { peer.Close() })()
	request, err := wire.New("execute_request", "set-up", nil,
		map[string]any{"code": setupCell(root), "silent": true, "store_history": false,
			"user_expressions": map[string]any{}, "allow_stdin": false, "stop_on_error": true})
	if err != nil {
		return err
	}
	reply, err := peer.Ask(request)
	if err != nil {
		return err
	}
	var content struct{ Status, Evalue string }
	if err := reply.Decode(&content); err != nil {
		return err
	}
	if content.Status != "ok" {
		return errors.New("the set-up cell does not build: " + content.Evalue)
	}
	return nil
}

// preloaded are the import paths of [Preloads] by the names that they have in cells.
func preloaded(root string) map[string]string {
	imports := map[string]string{}
	for _, p := range Preloads(root) {
		name := p.Name
		if name == "" {
			name = path.Base(p.Path)
		}
		imports[name] = Module + "/" + p.Path
	}
	return imports
}
