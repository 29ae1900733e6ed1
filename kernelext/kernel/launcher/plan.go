package launcher

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
)

// A plan describes how a cell is executed.
type plan struct {
	code    string   // code to send to gonb
	verb    []string // words of the only verb, if the cell consists of one; code does the same
	show    []bundle // outputs to show before the cell's own
	failure *failure // error to show instead of running the cell

	body     *body      // parsed main; nil if the cell has none
	lines    []string   // lines of the code before insertions
	inserted insertions // insertions in code
	last     ast.Expr   // last expression, which may be shown; nil if the body ends with another statement
}

// plan decides how a cell is executed. Lines keep their numbers, so errors refer to the lines that the user sees.
func (n *notebook) plan(code string) plan {
	lines := strings.Split(code, "\n")
	if !isGo(lines) {
		return plan{code: code}
	}
	if command, found := unknownCommand(lines); found {
		return plan{failure: unknownMagic(command)}
	}
	if call := inputCall(lines); call != "" {
		return plan{failure: fail("no input", "%s waits for input, but a cell has none; write the value into the "+
			"cell, or into a file that it reads", call)}
	}
	if p, ok := n.planUnwritten(lines); ok {
		return p
	}
	p := plan{}
	out, calls, err := n.translate(&p, lines, len(lines))
	if err != nil {
		return plan{failure: err}
	}
	if calls.isSingleVerb(lines) {
		p.verb = calls.words
	}
	if len(calls.statements) > 0 {
		// without %%, the first verb's line becomes main
		out[calls.first] = "func main() { " + strings.Join(calls.statements, "; ") + " }"
	}
	p.compose(out, nil)
	return p
}

// planUnwritten plans a cell that has statements but no %%. ok is false if the cell has no statements or is not valid
// Go.
func (n *notebook) planUnwritten(lines []string) (p plan, ok bool) {
	opening, found := opensUnwritten(lines)
	if !found {
		return p, false
	}
	if i := slices.IndexFunc(lines, isVerb); i >= 0 && i < opening.line {
		opening.line, opening.column = i, 0 // the verb is the first statement
	}
	out, _, failed := n.translate(&p, lines, opening.line)
	if failed != nil {
		return plan{failure: failed}, true
	}
	if p.compose(out, insertions{opening}); p.body == nil {
		return plan{}, false
	}
	return p, true
}

// compose sets the plan's code from the translated lines.
func (p *plan) compose(lines []string, opening insertions) {
	p.lines, p.inserted = lines, opening
	if p.body = parseBody(lines, opening); p.body != nil {
		p.inserted = slices.Concat(opening, p.body.closings())
		if last := p.body.lastExpression(); last != nil && !isPrint(last) {
			p.last = last
		}
	}
	p.code = strings.Join(p.inserted.apply(lines), "\n")
}

// showLast makes the cell show its last expression.
func (p *plan) showLast(how form) {
	p.inserted = slices.Concat(p.body.opening, p.body.shows(p.last, how), p.body.closings())
	p.code = strings.Join(p.inserted.apply(p.lines), "\n")
}

// calls holds the verbs outside main's body that run the command.
type calls struct {
	first      int
	statements []string
	words      []string // words of the last verb
}

// isSingleVerb reports whether the cell consists of a single verb.
func (c calls) isSingleVerb(lines []string) bool {
	others := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "//") && stripGonb(line) == line
	})
	return len(c.statements) == 1 && len(others) == 1
}

// isVerb reports whether a line is a %unlearn line.
func isVerb(line string) bool { return isSpecial(line) && word(line) == magicWord }

// translate replaces the %unlearn lines. Those after %%, or from line from on, become statements of main.
func (n *notebook) translate(p *plan, lines []string, from int) ([]string, calls, *failure) {
	out := make([]string, len(lines))
	copy(out, lines)
	var found calls
	body, hasMain := false, false
	for i, line := range lines {
		n.notice(line)
		if led, ok := redirectGoGet(line); ok {
			out[i] = led
		}
		body = body || opensMain(line) || i >= from
		hasMain = hasMain || body || strings.HasPrefix(line, "func main(") || word(line) == "%exec" ||
			word(line) == "%test"
		if !isVerb(line) {
			continue
		}
		call, words, failed := n.magic(p, line)
		if failed != nil {
			return nil, found, failed
		}
		out[i] = call
		if !strings.HasPrefix(call, "kx.") || body {
			continue
		}
		if len(found.statements) == 0 {
			found.first = i
		}
		out[i] = ""
		found.statements, found.words = append(found.statements, call), words
	}
	if hasMain && len(found.statements) > 0 {
		return nil, found, fail("usage", "put the lines that start with %s below %%%%, or into a cell of their own",
			magicWord)
	}
	return out, found, nil
}

var goGet = regexp.MustCompile(`^!\s*go\s+get\b`)

// redirectGoGet makes a go get line add modules for the cells, which are compiled in another folder. Otherwise go get
// would change this laboratory's go.mod. In any other module's folder, go get runs as usual.
func redirectGoGet(line string) (led string, ok bool) {
	line = stripGonb(line)
	if !goGet.MatchString(line) {
		return "", false
	}
	const elsewhere = `case "$(go env GOMOD)" in "$UNLEARNLAB_ROOT/go.mod"|/dev/null|"") cd "$GONB_TMP_DIR" && ` +
		`echo "go get: for the cells of this notebook; unlearnlab's go.mod stays as it is" ;; esac; `
	return "!" + elsewhere + strings.TrimSpace(line[1:]), true
}

// magic returns what replaces a verb's line: a call and its words, a line for gonb, or nothing.
func (n *notebook) magic(p *plan, line string) (call string, words []string, failed *failure) {
	words, err := splitWords(stripGonb(line))
	if err != nil {
		return "", nil, fail("usage", "%v", err)
	}
	if len(words) == 1 {
		words = append(words, "help")
	}
	v, ok := findVerb(words[1])
	if !ok {
		return "", nil, unknownMagic(magicWord + " " + words[1])
	}
	if v.answer == nil {
		quoted := make([]string, len(words)-1)
		for i, w := range words[1:] {
			quoted[i] = strconv.Quote(w)
		}
		return fmt.Sprintf("kx.Command(%s)", strings.Join(quoted, ", ")), words[1:], nil
	}
	a := v.answer(n, words[2:])
	if a.show != nil {
		p.show = append(p.show, a.show)
	}
	return a.line, nil, a.failure
}

// unknownMagic returns the failure for an unknown command. It suggests the most similar one.
func unknownMagic(command string) *failure {
	guess, list := "", "%help lists gonb's commands, %unlearn help ours"
	if name, ours := strings.CutPrefix(command, magicWord+" "); ours {
		list = "%unlearn help lists them"
		if guess = spelling.Nearest(name, verbNames()); guess != "" {
			guess = magicWord + " " + guess
		}
	} else {
		candidates := []string{magicWord}
		for _, c := range lineCommands[1:] { // a cell rarely needs %%
			candidates = append(candidates, "%"+c)
		}
		guess = spelling.Nearest(command, candidates)
	}
	if guess == command {
		return fail("unknown magic", "write %s without a space behind the %%", command)
	}
	if guess == "" {
		return fail("unknown magic", "there is no %s; %s", command, list)
	}
	return fail("unknown magic", "there is no %s; did you mean %s? %s", command, guess, list)
}
