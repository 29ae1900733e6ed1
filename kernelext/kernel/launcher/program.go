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

// A program is what the cells of a kernel have declared, as gonb keeps it: what is declared again is replaced.
type program struct {
	imports  map[string]string // import paths by name
	declared map[string]string // Go by what it declares
	order    []string
}

// add takes the declarations of a cell that ran.
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
	file := parsed(files, lines)
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
			continue // a piece of what could not be parsed
		}
		if p.declared == nil {
			p.declared = map[string]string{}
		}
		if _, known := p.declared[key]; !known {
			p.order = append(p.order, key)
		}
		p.declared[key] = text.String()
	}
}

// parsed is what can be read of a cell.
func parsed(files *token.FileSet, lines []string) *ast.File {
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

// keyOf is what a declaration declares; "" for what is not kept.
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
	return strings.Join(declared(d), " ")
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

// document is the program with a cell whose cursor is at a place; ok is false where that is no Go. preloaded are the
// imports that cells need not write.
func (p *program) document(code []rune, cursor int, preloaded map[string]string, std standard) (d gopls.Document,
	ok bool) {
	lines := strings.Split(string(code), "\n")
	before, whole := lineAt(code, cursor)
	at := strings.Count(string(code[:cursor]), "\n")
	if !isGo(lines) || isSpecial(string(whole)) {
		return d, false
	}
	own := parsed(token.NewFileSet(), lines)
	imports := p.visible(string(code), preloaded, std)
	for name := range importsOf(own) {
		delete(imports, name)
	}
	source, _ := goSource(lines)
	_, source, _ = strings.Cut(source, "\n")
	d.Main = "package main\n" + importLine(imports) + "\n" + source + closers(source) + "\n"
	const above = 2 // lines
	d.At = gopls.Position{Line: above + at, Character: len(utf16.Encode(before))}
	d.Cells = p.others(own, preloaded)
	return d, true
}

// closers are the brackets that close what is open at the end of a source: the body of main, and what is being typed.
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

// visible are the imports that a cell finds: its kernel's, those of the cells before, and what goimports would add of
// the standard library.
func (p *program) visible(code string, preloaded map[string]string, std standard) map[string]string {
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

// others is a file with what the cells before have declared and this one does not.
func (p *program) others(own *ast.File, preloaded map[string]string) string {
	again := map[string]bool{}
	for _, d := range own.Decls {
		again[keyOf(d)] = true
	}
	imports := maps.Clone(preloaded)
	maps.Copy(imports, p.imports)
	text := "package main\n" + importLine(imports) + "\n"
	for _, key := range p.order {
		if !again[key] {
			text += p.declared[key] + "\n"
		}
	}
	return text
}
