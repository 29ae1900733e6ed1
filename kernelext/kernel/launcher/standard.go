package launcher

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/gopls"
)

// A standard reads the standard library's source on this machine.
type standard struct{ root string } // $GOROOT; "" if unknown

// packages returns the standard library's import paths by package name.
func (s standard) packages() map[string][]string { return standardPackages(s.root) }

// folder returns the folder with a package's source, in the standard library or in the module in root. It returns ""
// for packages of other modules.
func (s standard) folder(root, importPath string) string {
	if within, ok := strings.CutPrefix(importPath, Module+"/"); ok {
		return filepath.Join(root, filepath.FromSlash(within))
	}
	domain, _, _ := strings.Cut(importPath, "/")
	if s.root == "" || importPath == "" || importPath == "C" || strings.Contains(domain, ".") {
		return ""
	}
	return filepath.Join(s.root, "src", filepath.FromSlash(importPath))
}

var standardFound sync.Map // results of standardPackages by root

func standardPackages(root string) map[string][]string {
	if found, known := standardFound.Load(root); known {
		return found.(map[string][]string)
	}
	source := filepath.Join(root, "src")
	found := map[string][]string{}
	if root != "" {
		filepath.WalkDir(source, func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return fs.SkipDir // skip unreadable folders
			}
			name := entry.Name()
			switch {
			case !entry.IsDir() || file == source:
				return nil
			case name == "internal" || name == "vendor" || name == "testdata" || name == "cmd" || name == "builtin":
				return fs.SkipDir
			}
			if sources, _ := filepath.Glob(filepath.Join(file, "*.go")); len(sources) > 0 {
				relative, _ := filepath.Rel(source, file) // never an error, because file is in source
				name := packageName(filepath.ToSlash(relative))
				found[name] = append(found[name], filepath.ToSlash(relative))
			}
			return nil
		})
	}
	standardFound.Store(root, found)
	return found
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// packageName returns the name of a standard package.
func packageName(importPath string) string {
	if base := path.Base(importPath); !majorVersion.MatchString(base) {
		return base
	}
	return path.Base(path.Dir(importPath))
}

// sources completes names from the source of packages, without a language server.
type sources struct {
	std  standard
	root string // folder of this module
}

// complete returns the names that the package before the cursor exports, and the position where they start.
func (s sources) complete(d gopls.Document, code []rune, cursor int) (matches []gopls.Match, start int) {
	qualifier, begun, selects := strings.Cut(string(typedName(code[:cursor])), ".")
	file, _ := parser.ParseFile(token.NewFileSet(), "", d.Main, parser.ImportsOnly)
	if !selects || file == nil {
		return nil, cursor
	}
	folder := s.std.folder(s.root, importsOf(file)[qualifier])
	if folder == "" {
		return nil, cursor
	}
	names := exportsIn(folder)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if strings.HasPrefix(name, begun) {
			matches = append(matches, gopls.Match{Text: name})
		}
	}
	return matches, cursor - len([]rune(begun))
}

// exportsIn returns the exported names of the package in a folder, on all operating systems.
func exportsIn(folder string) []string {
	var names []string
	sources, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		text, err := os.ReadFile(source)
		if err != nil {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), source, text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range file.Decls {
			for _, name := range declaredNames(d) {
				if ast.IsExported(name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// declaredNames returns the package-level names that a declaration introduces.
func declaredNames(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

var (
	undefinedName   = regexp.MustCompile(`^undefined: ([a-z][a-z0-9]*)(?:\.([A-Z]\w*))?$`)
	selectorPattern = regexp.MustCompile(`^\.([A-Z]\w*)`)
)

// explainUndefined interprets a compiler's message that a standard package, or a name of one, is undefined. If a cell
// selects a name that the package does not have, goimports adds no import, and the compiler reports the package as
// undefined. blame is "" if the name exists; then some other selector has prevented the import.
func (s standard) explainUndefined(message, line string, column int) (name, blame string) {
	found := undefinedName.FindStringSubmatch(message)
	if found == nil {
		return "", ""
	}
	name, selected := found[1], found[2]
	imported := selected != ""
	if !imported && column >= 0 {
		selected = selectedAfter(line, column+len(name))
	}
	paths := s.packages()[name]
	if selected == "" || len(paths) == 0 {
		return "", ""
	}
	var all []string
	for _, importPath := range paths {
		all = append(all, exportsIn(s.folder("", importPath))...)
	}
	if slices.Contains(all, selected) {
		if imported {
			return "", "" // of another package with the same name
		}
		return name, ""
	}
	blame = fmt.Sprintf("undefined: %s.%s", name, selected)
	if near := spelling.Nearest(selected, all); near != "" {
		return name, fmt.Sprintf("%s; did you mean %s.%s?", blame, name, near)
	}
	return name, fmt.Sprintf("%s; package %s has no such name", blame, strings.Join(paths, " or "))
}

// selectedAfter returns the name that the selector at an offset of a line selects, or "".
func selectedAfter(line string, offset int) string {
	if offset > len(line) {
		return ""
	}
	if found := selectorPattern.FindStringSubmatch(line[offset:]); found != nil {
		return found[1]
	}
	return ""
}
