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

// A program holds the declarations of a kernel's cells, as gonb keeps them. A new declaration of a name replaces the
// old one.
type program struct {
	imports      map[string]string // import paths by package name
	declarations map[string]string // Go source by declared name
	order        []string
	variables    map[string]bool // whether a name is declared as a variable
	locals       map[string]int  // number of the cell whose body declared a variable, which ended with the cell
	reset        bool            // whether %reset has removed the kernel's own imports
}

// add records the declarations of a cell that has run.
func (p *program) add(code string) {
	lines := strings.Split(code, "\n")
	if !isGo(lines) {
		return
	}
	for _, line := range lines {
		if isSpecial(line) && word(line) == "%reset" {
			*p = program{reset: true}
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
		p.noteVariables(d)
	}
}

// noteVariables records which names are variables.
func (p *program) noteVariables(d ast.Decl) {
	if p.variables == nil {
		p.variables = map[string]bool{}
	}
	g, ok := d.(*ast.GenDecl)
	for _, name := range declaredNames(d) {
		p.variables[name] = ok && g.Tok == token.VAR
	}
}

// noteLocals records the variables declared in a cell's body.
func (p *program) noteLocals(b *body, cell int) {
	if p.locals == nil {
		p.locals = map[string]int{}
	}
	for _, name := range b.locals() {
		p.locals[name] = cell
	}
}

// kernelextVisible reports whether package kernelext is visible in a cell as kx.
func (p *program) kernelextVisible(b *body) bool {
	const kx = Module + "/kernelext"
	imported, own := p.imports["kx"], importsOf(b.file)["kx"]
	return own == kx || own == "" && (imported == kx || imported == "" && !p.reset)
}

// parseCell parses a cell as far as possible, despite errors.
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

// keyOf returns the name or names that a declaration declares, or "" if it is not recorded.
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

// document returns the program with a cell and the cursor's position in it. ok is false if the cursor is not in Go
// code. preloaded holds the imports that cells need not declare.
func (p *program) document(code []rune, cursor int, preloaded map[string]string, std standard) (d gopls.Document,
	ok bool) {
	lines := strings.Split(string(code), "\n")
	before, whole := lineAt(code, cursor)
	at := strings.Count(string(code[:cursor]), "\n")
	if !isGo(lines) || isSpecial(string(whole)) {
		return d, false
	}
	d.Main, d.Cells = p.files(lines, preloaded, std)
	const above = 2 // lines above the cell
	d.At = gopls.Position{Line: above + at, Character: len(utf16.Encode(before))}
	if opening, found := opensUnwritten(lines); found && opening.line == at && opening.column <= len(string(before)) {
		d.At.Character += len(opening.text)
	}
	return d, true
}

// files returns two files of a program: a cell, and the declarations of other cells.
func (p *program) files(lines []string, preloaded map[string]string, std standard) (cell, others string) {
	own := parseCell(token.NewFileSet(), lines)
	imports := p.visibleImports(strings.Join(lines, "\n"), preloaded, std)
	for name := range importsOf(own) {
		delete(imports, name)
	}
	source, _ := goSource(lines)
	_, source, _ = strings.Cut(source, "\n")
	return "package main\n" + importLine(imports) + "\n" + source + closers(source) + "\n",
		p.otherCells(own, preloaded, std)
}

// closers returns the closing brackets for those left open at the end of source, in main's body and in the text being
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

// visibleImports returns the imports that a cell can use: the kernel's, those of earlier cells, and the standard
// packages that goimports would add.
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

// otherCells returns a file with the declarations of earlier cells, without those that this cell declares anew.
func (p *program) otherCells(own *ast.File, preloaded map[string]string, std standard) string {
	again := map[string]bool{}
	for _, d := range own.Decls {
		again[keyOf(d)] = true
	}
	text := ""
	for _, key := range p.order {
		if !again[key] {
			text += p.declarations[key] + "\n"
		}
	}
	return "package main\n" + importLine(p.visibleImports(text, preloaded, std)) + "\n" + text
}
