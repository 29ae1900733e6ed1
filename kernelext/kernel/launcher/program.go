package launcher

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/gopls"
)

// A program holds what a kernel's cells have declared, as gonb keeps it. A new declaration of a name replaces the old
// one.
type program struct {
	imports      map[string]string // import paths by package name
	declarations map[string]string // Go source by declared name
	order        []string
}

// add records the declarations of a cell that ran.
func (p *program) add(code string) {
	lines := strings.Split(code, "\n")
	if !isGo(lines) {
		return
	}
	for _, line := range lines {
		if isSpecial(line) && word(line) == "%reset" {
			*p = program{}
		}
	}
	files := token.NewFileSet()
	file := parseCell(files, lines)
	for name, importPath := range importsOf(file) {
		if p.imports == nil {
			p.imports = map[string]string{}
		}
		p.imports[name] = importPath
	}
	for _, d := range file.Decls {
		key := keyOf(d)
		if key == "" {
			continue
		}
		var text strings.Builder
		if printer.Fprint(&text, files, d) != nil {
			continue // part of a cell that could not be parsed
		}
		if p.declarations == nil {
			p.declarations = map[string]string{}
		}
		if _, known := p.declarations[key]; !known {
			p.order = append(p.order, key)
		}
		p.declarations[key] = text.String()
	}
}

// parseCell parses a cell as far as possible.
func parseCell(files *token.FileSet, lines []string) *ast.File {
	source, body := goSource(lines)
	if body {
		source += "\n}"
	}
	file, _ := parser.ParseFile(files, "cell.go", source, parser.SkipObjectResolution|parser.AllErrors)
	if file == nil {
		return &ast.File{}
	}
	return file
}

// keyOf returns the name that a declaration declares, or "" if the declaration is not recorded.
func keyOf(d ast.Decl) string {
	if f, ok := d.(*ast.FuncDecl); ok {
		if f.Recv == nil && f.Name.Name == "main" {
			return ""
		}
		if f.Recv == nil || len(f.Recv.List) == 0 {
			return f.Name.Name
		}
		receiver := f.Recv.List[0].Type
		if star, ok := receiver.(*ast.StarExpr); ok {
			receiver = star.X
		}
		return fmt.Sprint(receiver, ".", f.Name.Name)
	}
	return strings.Join(declaredNames(d), " ")
}

func importsOf(file *ast.File) map[string]string {
	found := map[string]string{}
	for _, spec := range file.Imports {
		importPath := strings.Trim(spec.Path.Value, "`\"")
		name := packageName(importPath)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		found[name] = importPath
	}
	return found
}

var qualifier = regexp.MustCompile(`\b([a-z][a-z0-9_]*)\.`)

// document returns the program with a cell and a cursor in it. ok is false if the cursor is not in Go code. preloaded
// holds the imports that cells need not write.
func (p *program) document(code []rune, cursor int, preloaded map[string]string, std standard) (d gopls.Document,
	ok bool) {
	lines := strings.Split(string(code), "\n")
	before, whole := lineAt(code, cursor)
	at := strings.Count(string(code[:cursor]), "\n")
	if !isGo(lines) || isSpecial(string(whole)) {
		return d, false
	}
	own := parseCell(token.NewFileSet(), lines)
	imports := p.visibleImports(string(code), preloaded, std)
	for name := range importsOf(own) {
		delete(imports, name)
	}
	source, _ := goSource(lines)
	_, source, _ = strings.Cut(source, "\n")
	d.Main = "package main\n" + importLine(imports) + "\n" + source + closers(source) + "\n"
	const above = 2 // lines above the cell's source
	d.At = gopls.Position{Line: above + at, Character: len(utf16.Encode(before))}
	d.Cells = p.otherCells(own, preloaded)
	return d, true
}

// closers returns the brackets that close what is open at the end of a source: the body of main, and what is being
// typed.
func closers(source string) string {
	var open []string
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("cell.go", -1, len(source)), []byte(source), nil, 0)
	for {
		_, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			slices.Reverse(open)
			return strings.Join(open, "")
		case token.LPAREN:
			open = append(open, ")")
		case token.LBRACK:
			open = append(open, "]")
		case token.LBRACE:
			open = append(open, "\n}")
		case token.RPAREN, token.RBRACK, token.RBRACE:
			open = open[:max(0, len(open)-1)]
		}
	}
}

// visibleImports returns the imports that a cell can use: the kernel's, the earlier cells', and the standard packages
// that goimports would add.
func (p *program) visibleImports(code string, preloaded map[string]string, std standard) map[string]string {
	imports := maps.Clone(preloaded)
	maps.Copy(imports, p.imports)
	packages := std.packages()
	for _, used := range qualifier.FindAllStringSubmatch(code, -1) {
		if paths := packages[used[1]]; imports[used[1]] == "" && len(paths) > 0 {
			imports[used[1]] = slices.MinFunc(paths, func(a, b string) int { return len(a) - len(b) })
		}
	}
	return imports
}

func importLine(imports map[string]string) string {
	var specs []string
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		spec := fmt.Sprintf("%q", imports[name])
		if name != path.Base(imports[name]) {
			spec = name + " " + spec
		}
		specs = append(specs, spec)
	}
	return "import (" + strings.Join(specs, "; ") + ")"
}

// otherCells returns a file with the declarations of earlier cells that this cell does not repeat.
func (p *program) otherCells(own *ast.File, preloaded map[string]string) string {
	again := map[string]bool{}
	for _, d := range own.Decls {
		again[keyOf(d)] = true
	}
	imports := maps.Clone(preloaded)
	maps.Copy(imports, p.imports)
	text := "package main\n" + importLine(imports) + "\n"
	for _, key := range p.order {
		if !again[key] {
			text += p.declarations[key] + "\n"
		}
	}
	return text
}
