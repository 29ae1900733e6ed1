package launcher

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// asksForInput is the call in a cell that would wait for input for ever: gonb leaves the standard input open, and
// nobody writes to it. "" where there is none.
func asksForInput(lines []string) (call string) {
	if !isGo(lines) || !mentionsInput(lines) || slices.ContainsFunc(lines, takesInput) {
		return ""
	}
	ast.Inspect(parsed(token.NewFileSet(), lines), func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch name := dotted(c.Fun); name {
		case "fmt.Scan", "fmt.Scanln", "fmt.Scanf":
			call = name
		default:
			for _, argument := range c.Args {
				if dotted(argument) == "os.Stdin" && name != "" {
					call = name + "(os.Stdin)"
				}
			}
		}
		return call == ""
	})
	return call
}

// mentionsInput spares most cells the parsing.
func mentionsInput(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		return strings.Contains(line, "fmt.Scan") || strings.Contains(line, "os.Stdin")
	})
}

// takesInput says that a line has gonb give input to what follows.
func takesInput(line string) bool {
	return isSpecial(line) && (word(line) == "%with_inputs" || word(line) == "%with_password")
}

// dotted is a name with its package, as it is written; "" for anything else.
func dotted(e ast.Expr) string {
	selector, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if of, ok := selector.X.(*ast.Ident); ok {
		return of.Name + "." + selector.Sel.Name
	}
	return ""
}
