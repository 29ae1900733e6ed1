package launcher

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// A form is code around an expression that makes the cell show it.
type form struct{ before, after string }

// Forms for expressions. Only rich needs package kernelext, which takes a third of a second to link.
var (
	rich    = form{"kx.ShowLast(", ")"}
	plain   = form{"fmt.Println(", ")"}
	failing = form{"if err := (", "); err != nil { fmt.Println(err) }"} // for an error, which is not shown if it is nil
)

// formOf returns the form for an expression of a type. seesFmt reports whether the cell can use fmt.
func formOf(t types.Type, seesFmt bool) form {
	switch {
	case seesFmt && types.Identical(t, types.Universe.Lookup("error").Type()):
		return failing
	case seesFmt && isPlain(t):
		return plain
	}
	return rich
}

// isPlain reports whether package kernelext would show values of a type as fmt prints them.
func isPlain(t types.Type) bool {
	methods := types.NewMethodSet(t)
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return methods.Lookup(nil, name) != nil })
	}
	if has("AltText", "Bounds", "Draw", "Table") {
		return false // a picture or a table
	}
	switch under := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Struct, *types.Pointer:
		return has("String", "Error")
	case *types.Slice:
		return isSimple(under.Elem())
	case *types.Array:
		return isSimple(under.Elem())
	case *types.Map:
		return isSimple(under.Key()) && isSimple(under.Elem())
	}
	return false
}

// isSimple reports whether a plain list may have elements of a type.
func isSimple(t types.Type) bool {
	switch under := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return isSimple(under.Elem())
	}
	return false
}

// lastExpression returns the expression that ends a body, or nil if the body ends with another statement. A semicolon
// after the expression hides it.
func (b *body) lastExpression() ast.Expr {
	statement, ok := b.last().(*ast.ExprStmt)
	if !ok {
		return nil
	}
	if receive, ok := statement.X.(*ast.UnaryExpr); ok && receive.Op == token.ARROW {
		return nil // a receive waits, and its value is usually empty
	}
	line, column := b.place(statement.End())
	if strings.HasPrefix(strings.TrimLeft(b.lines[line][column:], " \t"), ";") {
		return nil
	}
	return statement.X
}

// shows returns the insertions that show an expression in a form.
func (b *body) shows(e ast.Expr, how form) insertions {
	return insertions{b.insert(e.Pos(), how.before), b.insert(e.End(), how.after)}
}

// isCall reports whether an expression is a call. A call is a valid statement, and can be shown only if it has a
// result. Any other expression is a Go error unless it is shown.
func isCall(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok
}

// printing matches the names of functions that return how many bytes they have read or written.
var printing = regexp.MustCompile(`^(F?[pP]rint|F?[sS]can|Write|Read|Copy)`)

// isPrint reports whether an expression is one of the frequent calls whose result nobody wants to see. They are
// recognised without their types.
func isPrint(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	name := dotted(call.Fun)
	return strings.HasPrefix(name, "fmt.Print") || strings.HasPrefix(name, "fmt.Fprint") || name == "kx.Command"
}

// calledName returns the name of the function or method that an expression calls.
func calledName(e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}
