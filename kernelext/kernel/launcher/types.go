package launcher

import (
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A checker determines the types of a cell's expressions. It reads the export data of the packages that a cell uses,
// and makes the go command compile them first, which the cell would do anyway.
type checker struct {
	folder      string // the kernel's folder, which contains gonb's module
	environment []string

	mu      sync.Mutex
	exports map[string]string // export data files by import path
	read    types.Importer
}

func newChecker(folder string, environment []string) *checker {
	c := &checker{folder: folder, environment: environment, exports: map[string]string{}}
	c.read = importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(c.exports[path])
	})
	return c
}

// form returns the form that shows the expression at the end of main. found is false for an expression that has no
// result to show, or whose type is unknown.
func (c *checker) form(ctx context.Context, mainFile, otherCells string) (how form, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, source := range []string{mainFile, otherCells} {
		file, _ := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
		if file == nil {
			return form{}, false
		}
		dropUnused(file)
		parsed = append(parsed, file)
	}
	last := lastOfMain(parsed[0])
	if last == nil {
		return form{}, false
	}
	c.find(ctx, parsed)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: c, Error: func(error) {}} // the compiler will report errors
	p, _ := config.Check("main", files, parsed, info)
	result := info.Types[last]
	if !worthShowing(result, calledName(last)) {
		return form{}, false
	}
	return formOf(result.Type, seesFmt(p, last.Pos())), true
}

// seesFmt reports whether fmt is the standard package at a position, or can be imported there.
func seesFmt(p *types.Package, at token.Pos) bool {
	scope := p.Scope().Innermost(at)
	if scope == nil {
		return false
	}
	_, found := scope.LookupParent("fmt", at)
	imported, ok := found.(*types.PkgName)
	return found == nil || ok && imported.Imported().Path() == "fmt"
}

// Import returns a package found by [checker.find].
func (c *checker) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if c.exports[path] == "" {
		return nil, fmt.Errorf("no package %s", path)
	}
	return c.read.Import(path)
}

// find makes the go command compile the packages that files import, and records their export data.
func (c *checker) find(ctx context.Context, files []*ast.File) {
	var missing []string
	for _, file := range files {
		for _, path := range importsOf(file) {
			if c.exports[path] == "" && !slices.Contains(missing, path) {
				missing = append(missing, path)
			}
		}
	}
	modules, _ := filepath.Glob(filepath.Join(c.folder, "gonb_*", "go.mod"))
	if len(missing) == 0 || len(modules) == 0 {
		return
	}
	arguments := append([]string{"list", "-e", "-export", "-f", "{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}"},
		BuildFlags...)
	command := exec.CommandContext(ctx, "go", append(append(arguments, "--"), missing...)...)
	command.Dir, command.Env = filepath.Dir(modules[0]), c.environment
	output, err := command.Output()
	if err != nil {
		return // the compiler will report why
	}
	for line := range strings.Lines(string(output)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			c.exports[path] = file
		}
	}
}

// dropUnused removes the imports that a file does not use.
func dropUnused(file *ast.File) {
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := selector.X.(*ast.Ident); ok {
				used[of.Name] = true
			}
		}
		return true
	})
	unused := func(spec *ast.ImportSpec) bool {
		path := strings.Trim(spec.Path.Value, "`\"")
		name := packageName(path)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		return name != "." && !used[name]
	}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool { return unused(s.(*ast.ImportSpec)) })
		}
	}
	file.Imports = slices.DeleteFunc(file.Imports, unused)
}

// lastOfMain returns the expression that ends main, or nil.
func lastOfMain(file *ast.File) ast.Expr {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != "main" || f.Recv != nil || f.Body == nil || len(f.Body.List) == 0 {
			continue
		}
		if statement, ok := f.Body.List[len(f.Body.List)-1].(*ast.ExprStmt); ok {
			return statement.X
		}
	}
	return nil
}

// worthShowing reports whether an expression has a value to show. The number of bytes printed by a call is not one.
func worthShowing(found types.TypeAndValue, called string) bool {
	if !found.IsValue() || found.Type == nil || found.Type == types.Typ[types.Invalid] {
		return false
	}
	results, several := found.Type.(*types.Tuple)
	if !several {
		return true
	}
	counts := results.Len() == 2 && types.TypeString(results.At(1).Type(), nil) == "error"
	if counts {
		number, ok := results.At(0).Type().(*types.Basic)
		counts = ok && number.Info()&types.IsInteger != 0
	}
	return results.Len() > 0 && !(counts && printing.MatchString(called))
}
