package kernelext

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// makerOf returns a digest of a function's code and of the code in its program that it uses. A cell's source is stored
// where the cell was compiled. If it cannot be used, makerOf digests the executable instead.
func makerOf(kept string, function any) string {
	f := runtime.FuncForPC(reflect.ValueOf(function).Pointer())
	file, line := f.FileLine(f.Entry())
	digest := sha256.New()
	if source, err := os.ReadFile(file); err != nil || writeMaker(digest, source, kept, f.Name(), line) != nil {
		writeProgram(digest)
	}
	return fmt.Sprintf("%x", digest.Sum(nil))
}

// writeMaker writes the code of the function that begins at a line of source, and all declarations in source that it
// uses.
func writeMaker(w io.Writer, source []byte, kept, function string, line int) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	p := codeFinder{files, file, map[string]ast.Node{}}
	p.index()
	code := p.find(kept, function, line)
	if code == nil {
		return fmt.Errorf("no function begins in line %d", line)
	}
	p.write(w, code)
	return nil
}

// writeProgram writes the running executable.
func writeProgram(w io.Writer) {
	path, err := os.Executable()
	if err != nil {
		return
	}
	if file, err := os.Open(path); err == nil {
		defer file.Close()
		io.Copy(w, file)
	}
}

// codeFinder finds code in a program of one file.
type codeFinder struct {
	files    *token.FileSet
	source   *ast.File
	declared map[string]ast.Node // top-level declarations by name
}

func (m codeFinder) index() {
	for _, d := range m.source.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) > 0 {
				name = receiver(d) + "." + name
			}
			m.declared[name] = d
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					m.declared[spec.Name.Name] = d
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						m.declared[name.Name] = d
					}
				case *ast.ImportSpec:
				}
			}
		}
	}
}

// receiver returns the name of a method's receiver type.
func receiver(d *ast.FuncDecl) (name string) {
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok && name == "" {
			name = ident.Name
		}
		return name == ""
	})
	return name
}

// find returns the code of a function: a declared function, or a literal passed to Keep. If the literal uses local
// variables, the code includes the statements before it.
func (m codeFinder) find(kept, function string, line int) ast.Node {
	name := function[strings.LastIndexByte(function, '/')+1:]
	name = strings.TrimSuffix(name[strings.IndexByte(name, '.')+1:], "[...]")
	if d, ok := m.declared[name]; ok {
		return d
	}
	for _, d := range m.source.Decls {
		if around, ok := d.(*ast.FuncDecl); ok && m.lineOf(d.Pos()) <= line && line <= m.lineOf(d.End()) {
			if literal := m.literal(around, kept, line); literal != nil {
				return m.withLocals(around, literal)
			}
		}
	}
	return nil
}

func (m codeFinder) lineOf(p token.Pos) int { return m.files.Position(p).Line }

// literal returns the function literal that begins at a line. If there are several, it prefers the one passed to Keep
// with the name kept.
func (m codeFinder) literal(around *ast.FuncDecl, kept string, line int) (found *ast.FuncLit) {
	named := false
	ast.Inspect(around, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if len(n.Args) != 2 {
				break
			}
			literal, isLiteral := n.Args[1].(*ast.FuncLit)
			word, isWord := n.Args[0].(*ast.BasicLit)
			if isLiteral && isWord && word.Value == fmt.Sprintf("%q", kept) && m.lineOf(literal.Pos()) == line {
				found, named = literal, true
			}
		case *ast.FuncLit:
			if !named && found == nil && m.lineOf(n.Pos()) == line {
				found = n
			}
		}
		return true
	})
	return found
}

// withLocals returns a literal alone, or with the preceding statements of the enclosing function if it uses one of that
// function's variables. Those statements determine the variable's value.
func (m codeFinder) withLocals(around *ast.FuncDecl, literal *ast.FuncLit) ast.Node {
	if !usesLocals(around, literal) {
		return literal
	}
	before := *around.Body
	before.List = slices.DeleteFunc(slices.Clone(before.List), func(s ast.Stmt) bool { return s.Pos() > literal.End() })
	return &ast.FuncDecl{Name: ast.NewIdent("before"), Type: around.Type, Body: &before}
}

func usesLocals(around *ast.FuncDecl, literal *ast.FuncLit) bool {
	locals := map[string]bool{}
	ast.Inspect(around, func(n ast.Node) bool {
		if n == literal {
			return false
		}
		for _, name := range localNames(n) {
			locals[name] = true
		}
		return true
	})
	uses := false
	ast.Inspect(literal, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok && locals[ident.Name] {
			uses = true
		}
		return !uses
	})
	return uses
}

// localNames returns the names of the variables that a node declares.
func localNames(n ast.Node) (names []string) {
	add := func(expressions ...ast.Expr) {
		for _, e := range expressions {
			if ident, ok := e.(*ast.Ident); ok && ident.Name != "_" {
				names = append(names, ident.Name)
			}
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			add(n.Lhs...)
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			add(n.Key, n.Value)
		}
	case *ast.ValueSpec:
		for _, name := range n.Names {
			add(name)
		}
	case *ast.FuncType:
		for _, field := range n.Params.List {
			for _, name := range field.Names {
				add(name)
			}
		}
	}
	return names
}

// write writes code and all declarations that it uses, directly or indirectly, in a fixed order.
func (m codeFinder) write(w io.Writer, code ast.Node) {
	used := map[string]bool{}
	m.follow(code, used)
	m.writeNode(w, code)
	var names []string
	for name := range used {
		names = append(names, name)
	}
	slices.Sort(names)
	written := map[ast.Node]bool{}
	for _, name := range names {
		if d := m.declared[name]; !written[d] {
			written[d] = true
			m.writeNode(w, d)
		}
	}
}

// writeNode writes code token by token, so that spaces and comments do not count.
func (m codeFinder) writeNode(w io.Writer, code ast.Node) {
	var text bytes.Buffer
	printer.Fprint(&text, m.files, code)
	var words scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, text.Len())
	words.Init(file, text.Bytes(), nil, 0)
	for {
		_, word, literal := words.Scan()
		if word == token.EOF {
			return
		}
		if word == token.SEMICOLON {
			literal = "" // a line break counts as a semicolon
		}
		fmt.Fprintln(w, word, literal)
	}
}

// follow marks the names that code uses. Using a type counts as using its methods.
func (m codeFinder) follow(code ast.Node, used map[string]bool) {
	ast.Inspect(code, func(n ast.Node) bool {
		ident, ok := n.(*ast.Ident)
		if !ok || used[ident.Name] || m.declared[ident.Name] == nil || m.declared[ident.Name] == code {
			return true
		}
		used[ident.Name] = true
		m.follow(m.declared[ident.Name], used)
		for name, d := range m.declared {
			if strings.HasPrefix(name, ident.Name+".") && !used[name] {
				used[name] = true
				m.follow(d, used)
			}
		}
		return true
	})
}
