package launcher

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// A Preload is a package that cells may use without importing it.
type Preload struct {
	Name string // name in cells; "" for the last element of Path
	Path string // path within the module
}

// preloads lists the packages that are imported into cells if they exist, in addition to the packages of the papers.
var preloads = []Preload{
	{"kx", "kernelext"},
	{"", "unlearnkit/stat"},
	{"", "unlearnkit/metric"},
	{"", "unlearnkit/audit"},
	{"", "unlearnkit/certify"},
	{"", "unlearnkit/seed"},
	{"", "unlearnkit/report"},
	{"", "unlearnkit/chart"},
	{"", "plots"},
	{"", "unlearnkit/device"},
	{"", "unlearnkit/optim"},
	{"", "unlearnkit/unlearn"},
	{"", "unlearnkit/study"},
	{"", "unlearnkit/study/store"},
	{"", "data/papers"},
}

// Preloads returns the packages of the module in root that are imported into cells.
func Preloads(root string) []Preload {
	wanted := slices.Clone(preloads)
	for _, paper := range papers.Names {
		wanted = append(wanted, Preload{"", "unlearnkit/papers/" + paper})
	}
	var found []Preload
	for _, p := range wanted {
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

// Standard lists packages of the standard library that cells use often. A cell that uses a package without an import
// takes longer, because goimports then reads the names of all imported packages. Names that several packages share,
// such as rand, are left to goimports.
var Standard = []string{"bufio", "bytes", "context", "encoding/csv", "encoding/json", "errors", "flag", "fmt", "image",
	"image/color", "image/png", "io", "log", "maps", "math", "net/http", "os", "os/exec", "os/signal", "path/filepath",
	"regexp", "slices", "sort", "strconv", "strings", "sync", "time"}

// BuildFlags are the kernel's flags for go build. Without debug information, a cell links faster, and traces still have
// line numbers.
var BuildFlags = []string{"-ldflags=-s", "-gcflags=all=-dwarf=false"}

// setupCell returns the hidden first cell. It turns off downloads during builds, and imports the preloaded packages and
// those of the standard library.
func setupCell(root string) string {
	lines := []string{"%noautoget", "%goflags " + strings.Join(BuildFlags, " ")}
	for _, p := range Preloads(root) {
		lines = append(lines, p.Import())
	}
	for _, path := range Standard {
		lines = append(lines, fmt.Sprintf("import %q", path))
	}
	return strings.Join(lines, "\n") + "\n"
}

// setUp runs the setup cell on gonb, before any client is connected.
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

// preloaded returns the import paths of [Preloads], by name in cells.
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
