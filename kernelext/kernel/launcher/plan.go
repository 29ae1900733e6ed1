package launcher

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
)

// A plan says how a cell is executed.
type plan struct {
	code    string   // code for gonb
	verb    []string // words of the one command that the cell consists of; running code has the same effect
	show    []bundle // outputs before the cell's own output
	failure *failure // error in place of running the cell
}

// plan decides how a cell is executed. Lines keep their numbers, so that errors name the lines that the user sees.
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
	p := plan{}
	out, calls, err := n.translate(&p, lines)
	if err != nil {
		return plan{failure: err}
	}
	if calls.lines == 0 && !calls.redirected {
		return plan{code: code}
	}
	if calls.only(lines) {
		p.verb = calls.words
	}
	if len(calls.statements) > 0 {
		// There is no %%, so the first verb's line becomes the program.
		out[calls.first] = "func main() { " + strings.Join(calls.statements, "; ") + " }"
	}
	p.code = strings.Join(out, "\n")
	return p
}

// calls describes a cell's verbs that run the command outside the body of main.
type calls struct {
	lines      int // number of lines with a verb of any kind
	first      int
	statements []string
	words      []string // words of the last verb
	redirected bool     // a go get was redirected
}

// only reports whether a cell consists of one verb.
func (c calls) only(lines []string) bool {
	others := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "//") && stripGonb(line) == line
	})
	return len(c.statements) == 1 && len(others) == 1
}

func (n *notebook) translate(p *plan, lines []string) ([]string, calls, *failure) {
	out := make([]string, len(lines))
	copy(out, lines)
	var found calls
	body, hasMain := false, false
	for i, line := range lines {
		n.notice(line)
		if led, ok := redirectGoGet(line); ok {
			out[i], found.redirected = led, true
		}
		body = body || opensMain(line)
		hasMain = hasMain || body || strings.HasPrefix(line, "func main(") || word(line) == "%exec" ||
			word(line) == "%test"
		if word(line) != magicWord || !isSpecial(line) {
			continue
		}
		found.lines++
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

// redirectGoGet makes a go get line add the module for the cells, which are compiled in another folder. Otherwise go
// get would change this laboratory's go.mod. In the folder of any other module the line is unchanged.
func redirectGoGet(line string) (led string, ok bool) {
	line = stripGonb(line)
	if !goGet.MatchString(line) {
		return "", false
	}
	const elsewhere = `case "$(go env GOMOD)" in "$UNLEARNLAB_ROOT/go.mod"|/dev/null|"") cd "$GONB_TMP_DIR" && ` +
		`echo "go get: for the cells of this notebook; unlearnlab's go.mod stays as it is" ;; esac; `
	return "!" + elsewhere + strings.TrimSpace(line[1:]), true
}

// magic returns the replacement of a verb's line: a call with its words, a line for gonb, or nothing.
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

// unknownMagic returns the failure for an unknown command, with the most similar known command.
func unknownMagic(command string) *failure {
	guess, list := "", "%help lists gonb's commands, %unlearn help ours"
	if name, ours := strings.CutPrefix(command, magicWord+" "); ours {
		list = "%unlearn help lists them"
		if guess = spelling.Nearest(name, verbNames()); guess != "" {
			guess = magicWord + " " + guess
		}
	} else {
		candidates := []string{magicWord}
		for _, c := range lineCommands {
			candidates = append(candidates, "%"+c)
		}
		guess = spelling.Nearest(command, candidates)
	}
	if guess == "" {
		return fail("unknown magic", "there is no %s; %s", command, list)
	}
	return fail("unknown magic", "there is no %s; did you mean %s? %s", command, guess, list)
}
