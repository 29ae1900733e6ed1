package launcher

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// inputCall returns a call in the cell that would wait for input forever, or "". gonb leaves standard input open, but
// nobody writes to it.
func inputCall(lines []string) (call string) {
	if !isGo(lines) || !mentionsInput(lines) || slices.ContainsFunc(lines, takesInput) {
		return ""
	}
	ast.Inspect(parseCell(token.NewFileSet(), lines), func(n ast.Node) bool {
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

// mentionsInput reports whether a cell may read input. Most cells do not, so parsing them is unnecessary.
func mentionsInput(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		return strings.Contains(line, "fmt.Scan") || strings.Contains(line, "os.Stdin")
	})
}

// takesInput reports whether a line makes gonb provide input.
func takesInput(line string) bool {
	return isSpecial(line) && (word(line) == "%with_inputs" || word(line) == "%with_password")
}

// dotted returns a qualified name as written, or "" for any other expression.
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
