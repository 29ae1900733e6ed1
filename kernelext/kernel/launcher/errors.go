package launcher

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// An errorText turns gonb's messages about a failed cell into one readable box.
type errorText struct {
	raw      bool                        // keep gonb's own text
	cell     string                      // the user's cell
	code     string                      // source that was sent to gonb
	inserted insertions                  // insertions in code that the user's cell does not have
	explain  func(message string) string // returns a line to show below a compiler's message, or ""; may be nil
	count    int                         // number of the cell
	root     string                      // $GOROOT; "" if unknown
	stderr   string
	withheld string      // end of stderr that is held back, because the box repeats it if the cell fails
	last     string      // last text on stderr before the end; "" once the box repeats it
	report   *exitReport // the cell's own report of its end
}

// stderrLimit is how many bytes at the end of a cell's stderr are searched for a panic.
const stderrLimit = 64 << 10

var (
	exitNote  = regexp.MustCompile(`^(\^C\n)?((exit status|signal:) [^\n]+)\n?$`)
	mainLine  = regexp.MustCompile(`(/\S+/gonb_[0-9a-f]+/main\.go):(\d+)`)
	traceLine = regexp.MustCompile(`\[\[ (Cell \[\d+\]) Line (\d+) \]\]`)
	buildLine = regexp.MustCompile(`^(Cell) ?(\[\d+\])?:? Line (\d+)$`)
	colour    = regexp.MustCompile("\x1b\\[[0-9;]*m")
	caretLine = regexp.MustCompile(`^ *\^$`)
)

// stream records what the cell prints and returns the part to show now. It omits gonb's note on the exit status, which
// the error box repeats, and holds back the trace of a panic, which becomes that box.
func (t *errorText) stream(name, text string) (shown string) {
	if t.raw || name != "stderr" {
		return text
	}
	if exitNote.MatchString(text) {
		return ""
	}
	t.stderr += text
	if extra := len(t.stderr) - stderrLimit; extra > 0 {
		t.stderr = t.stderr[extra:]
	}
	if t.withheld != "" {
		if t.withheld += text; len(t.withheld) > stderrLimit {
			return t.release() // a failing program does not print that much
		}
		return ""
	}
	if at := fatalLine.FindStringIndex(text); at != nil {
		text, t.withheld = text[:at[0]], text[at[0]:]
	}
	return text
}

// release returns the text that was held back and has not become a box.
func (t *errorText) release() string {
	text := t.withheld
	t.withheld = ""
	return text
}

// failure rewrites gonb's error. It returns nil if gonb's text should be kept.
func (t *errorText) failure(m *wire.Message) *failure {
	var said failure
	if t.raw || m.Decode(&said) != nil {
		return nil
	}
	if note := exitNote.FindStringSubmatch(said.Value); note != nil {
		return t.exitBox(note[2])
	}
	if m, found := findMistake(t.cell); found {
		return m.box(t.cell, t.count)
	}
	return t.buildBox(said)
}

// fatalCauses explains errors of Go's runtime.
var fatalCauses = map[string]string{
	"stack overflow": "A function calls itself, directly or through others, and never stops.",
	"out of memory":  "The cell asks for more memory than this machine can give.",
}

// exitBox returns the box for a cell that was built and then failed.
func (t *errorText) exitBox(how string) *failure {
	if t.report != nil {
		return t.reportBox()
	}
	if found := panicLine.FindStringSubmatch(t.stderr); found != nil {
		said := strings.TrimPrefix(colour.ReplaceAllString(found[2], ""), "runtime: ")
		f := fail(found[1], "%s%s", said, t.place())
		f.Traceback = append(f.Traceback, traceLines(t.release())...)
		if why := fatalCauses[said]; why != "" {
			f.Traceback = append(f.Traceback, why)
		}
		return f
	}
	switch how {
	case "signal: interrupt":
		return fail("interrupted", "the cell was stopped")
	case "signal: killed":
		return fail("killed", "the cell was killed: it did not stop when asked, or there was not enough memory")
	}
	f := &failure{Name: how, Value: lastLine(t.stderr), Traceback: []string{red(how)}}
	if last := strings.TrimSpace(t.last); last != "" {
		f.Traceback[0] += ": " + last
		t.last = ""
	}
	return f
}

// place describes the first line of a cell that occurs in a trace.
func (t *errorText) place() string {
	if found := traceLine.FindStringSubmatch(t.stderr); found != nil {
		return fmt.Sprintf(" (%s line %s)", found[1], found[2])
	}
	return t.searchPlace()
}

// searchPlace finds the cell's line if gonb has not marked it in the trace, which happens if the trace arrives in
// pieces. It compares the line of the generated program with the cell's lines.
func (t *errorText) searchPlace() string {
	found := mainLine.FindStringSubmatch(t.stderr)
	if found == nil {
		return ""
	}
	program, err := os.ReadFile(found[1])
	number, _ := strconv.Atoi(found[2])
	lines := strings.Split(string(program), "\n")
	if err != nil || number < 1 || number > len(lines) {
		return ""
	}
	place := ""
	for i, line := range strings.Split(t.code, "\n") {
		if strings.TrimSpace(line) != strings.TrimSpace(lines[number-1]) {
			continue
		}
		if place != "" {
			return "" // the line occurs twice
		}
		place = fmt.Sprintf(" (Cell [%d] line %d)", t.count, i+1)
	}
	return place
}

func lastLine(text string) string {
	text = strings.TrimSpace(colour.ReplaceAllString(text, ""))
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// A buildError is a compiler's message about a cell.
type buildError struct {
	where, message string
	shown          []string // source line with a caret below it
	victim         string   // name that may be undefined only because of a misspelt name elsewhere
}

// buildBox returns the box for a cell that does not compile, with the source line of each message.
func (t *errorText) buildBox(said failure) *failure {
	f := &failure{Name: "build failed"}
	var values []string
	for _, e := range t.buildErrors(said) {
		values = append(values, e.where+e.message)
		f.Traceback = append(f.Traceback, e.where+red(e.message))
		f.Traceback = append(f.Traceback, e.shown...)
		if why := cmp.Or(t.explained(e.message), explainName(e.message, e.shown)); why != "" {
			f.Traceback = append(f.Traceback, why)
		}
	}
	f.Value = strings.Join(values, "\n")
	if command, ok := strings.CutPrefix(f.Value, "executing special commands in cell: "); ok {
		return fail("command failed", "%s", command)
	}
	return f
}

// explained returns a line that explains a compiler's message, or "".
func (t *errorText) explained(message string) string {
	if t.explain == nil {
		return ""
	}
	return t.explain(message)
}

// pythonNames maps names of Python to those of Go.
var pythonNames = map[string]string{"True": "true", "False": "false", "None": "nil"}

// explainName returns a line that explains why a name is undefined: it belongs to another language, or is assigned to
// without a declaration. shown is the source line and the caret. It returns "" for other messages.
func explainName(message string, shown []string) string {
	name, ok := strings.CutPrefix(message, "undefined: ")
	if !ok {
		return ""
	}
	if plain := pythonNames[name]; plain != "" {
		return "Go writes " + plain + "."
	}
	if len(shown) > 0 {
		after, begins := strings.CutPrefix(strings.TrimSpace(shown[0]), name)
		after = strings.TrimSpace(after)
		if begins && strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==") {
			return fmt.Sprintf("A new variable is declared with %s := …", name)
		}
	}
	return ""
}

// buildErrors parses the compiler's messages and corrects those about misspelt names of the standard library.
func (t *errorText) buildErrors(said failure) []buildError {
	var all []buildError
	blamed := map[string]bool{}
	for _, entry := range said.Traceback {
		lines := strings.Split(strings.TrimRight(colour.ReplaceAllString(entry, ""), "\n"), "\n")
		e := buildError{message: strings.Replace(lines[len(lines)-1], "(and 1 more errors)", "(and 1 more error)", 1)}
		if place := buildLine.FindStringSubmatch(lines[0]); place != nil {
			e.where = strings.TrimSpace(place[1]+" "+place[2]) + " line " + place[3] + ": "
			line, column := pointedLine(lines)
			number, _ := strconv.Atoi(place[3])
			line, column = t.inserted.undo(number-1, line, column)
			e.shown = underline(line, column)
			name, blame := standard{t.root}.explainUndefined(e.message, line, column)
			if blame != "" {
				blamed[name], e.message = true, blame
			} else {
				e.victim = name
			}
		} else if e.message == "" || strings.HasPrefix(e.message, "# gonb_") {
			continue
		}
		all = append(all, e)
	}
	return slices.DeleteFunc(all, func(e buildError) bool { return blamed[e.victim] })
}

// pointedLine returns the source line of a message and the byte column of its caret. Without a caret, column is -1.
func pointedLine(context []string) (line string, column int) {
	for i := 1; i < len(context); i++ {
		if caretLine.MatchString(context[i]) {
			return context[i-1], len(context[i]) - 1
		}
	}
	return "", -1
}

// underline returns a line with a caret below it. The compiler counts bytes, so a tab is shown as one space.
func underline(line string, column int) []string {
	if column < 0 {
		return nil
	}
	return []string{"    " + strings.ReplaceAll(line, "\t", " "), "    " + strings.Repeat(" ", column) + "^"}
}
