package launcher

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
)

// changed returns the variables declared outside main to which the body assigns. In the next cell they have their
// declared values again. declared reports whether an earlier cell declares a variable.
func (b *body) changed(declared func(name string) bool) (names []string) {
	if b == nil {
		return nil
	}
	outside := map[*ast.Ident]bool{} // names that this cell does not declare
	for _, name := range b.file.Unresolved {
		outside[name] = true
	}
	note := func(target ast.Expr) {
		name := rootOf(target)
		if name == nil || slices.Contains(names, name.Name) {
			return
		}
		if outside[name] && declared(name.Name) || b.declares(name) {
			names = append(names, name.Name)
		}
	}
	ast.Inspect(b.main.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				break
			}
			for _, target := range n.Lhs {
				note(target)
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				note(n.Key)
				note(n.Value)
			}
		}
		return true
	})
	return names
}

// rootOf returns the variable that changes if something is assigned to an expression. It returns nil if there is none.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// declares reports whether a name refers to a variable that this cell declares outside main.
func (b *body) declares(name *ast.Ident) bool {
	return name.Obj != nil && name.Obj.Kind == ast.Var && b.file.Scope != nil &&
		b.file.Scope.Lookup(name.Name) == name.Obj
}

// locals returns the variables declared in the body's outermost block.
func (b *body) locals() (names []string) {
	if b == nil {
		return nil
	}
	add := func(e ast.Expr) {
		if name, ok := e.(*ast.Ident); ok && name.Name != "_" {
			names = append(names, name.Name)
		}
	}
	for _, statement := range b.main.Body.List {
		switch s := statement.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				for _, target := range s.Lhs {
					add(target)
				}
			}
		case *ast.DeclStmt:
			names = append(names, declaredNames(s.Decl)...)
		}
	}
	return names
}

// ownProgram is the reason why values are lost.
const ownProgram = "each cell is a program of its own"

// lostNote explains in one paragraph that variables lose their new values.
func lostNote(names []string) string {
	its, has, keeps := "its new value", "has its", "keeps"
	if len(names) > 1 {
		its, has, keeps = "their new values", "have their", "keep"
	}
	all := strings.Join(names, " and ")
	return fmt.Sprintf("%s %s %s only in this cell, because %s. In the next cell %s %s declared value again; kx.Keep "+
		"stores values for other cells.", all, keeps, its, ownProgram, all, has)
}

var unusedName = regexp.MustCompile(`^declared and not used: (\w+)$`)

// explainLost returns a line that explains a compiler's message if its cause is that variables end with their cells,
// otherwise "". earlier maps the variables of earlier cells' bodies to cell numbers; own lists those of this cell's
// body.
func explainLost(message string, earlier map[string]int, own []string) string {
	const remedy = "To use it in other cells, declare it with var, above all statements of a cell; kx.Keep stores what " +
		"takes long."
	if name, ok := strings.CutPrefix(message, "undefined: "); ok && earlier[name] != 0 {
		return fmt.Sprintf("%s ended with cell [%d], because %s. %s", name, earlier[name], ownProgram, remedy)
	}
	if found := unusedName.FindStringSubmatch(message); found != nil && slices.Contains(own, found[1]) {
		return fmt.Sprintf("%s ends with this cell, because %s. %s", found[1], ownProgram, remedy)
	}
	return ""
}

// importNote explains in one paragraph that a cell imports packages that do not exist. gonb drops an import that the
// cell does not use, so the compiler never sees it. exists reports whether there is a package.
func importNote(file *ast.File, std standard, exists func(path string) bool) string {
	var notes []string
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, "`\"")
		if exists(path) {
			continue
		}
		note := fmt.Sprintf("There is no package %q; a cell that uses it does not build.", path)
		if near := spelling.Nearest(path, slices.Concat(slices.Collect(maps.Values(std.packages()))...)); near != "" {
			note = fmt.Sprintf("There is no package %q; did you mean %q?", path, near)
		}
		notes = append(notes, note)
	}
	return strings.Join(notes, " ")
}

// hasPackage reports whether a package exists in the standard library or in the module in root. It does not check
// packages of other modules.
func hasPackage(std standard, root, path string) bool {
	folder := std.folder(root, path)
	sources, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	return folder == "" || len(sources) > 0
}
