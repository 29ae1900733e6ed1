package launcher

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// An errorText makes one readable box of what gonb says about a cell that fails.
type errorText struct {
	raw      bool   // leave gonb's own words
	code     string // of the cell
	count    int    // the cell's number
	root     string // Go's own folder, "" while it is unknown
	stderr   string
	withheld string // of stderr: what a box will say, if the cell ends by it
	last     string // of stderr: what was printed a moment before the end; "" when the box has it
	told     *told  // what the cell itself says of its end
}

// stderrKept is how much of a cell's last words is searched for a panic.
const stderrKept = 64 << 10

var (
	exitNote  = regexp.MustCompile(`^(\^C\n)?((exit status|signal:) [^\n]+)\n?$`)
	panicLine = regexp.MustCompile(`(?m)^(panic|fatal error): (.*)$`)
	dying     = regexp.MustCompile(`(?m)^(panic: |panic at |fatal error: )`)
	mainLine  = regexp.MustCompile(`(/\S+/gonb_[0-9a-f]+/main\.go):(\d+)`)
	traceLine = regexp.MustCompile(`\[\[ (Cell \[\d+\]) Line (\d+) \]\]`)
	buildLine = regexp.MustCompile(`^(Cell) ?(\[\d+\])?:? Line (\d+)$`)
	colour    = regexp.MustCompile("\x1b\\[[0-9;]*m")
	caretLine = regexp.MustCompile(`^ *\^$`)
)

// stream listens to what the cell prints and returns what of it is shown now: not gonb's note of the exit status, which
// the error box repeats, and not the trace of a panic, which becomes that box.
func (t *errorText) stream(name, text string) (shown string) {
	if t.raw || name != "stderr" {
		return text
	}
	if exitNote.MatchString(text) {
		return ""
	}
	t.stderr += text
	if extra := len(t.stderr) - stderrKept; extra > 0 {
		t.stderr = t.stderr[extra:]
	}
	if t.withheld != "" {
		if t.withheld += text; len(t.withheld) > stderrKept {
			return t.released() // no program dies at such length
		}
		return ""
	}
	if at := dying.FindStringIndex(text); at != nil {
		text, t.withheld = text[:at[0]], text[at[0]:]
	}
	return text
}

// released gives back what was withheld and is in no box.
func (t *errorText) released() string {
	text := t.withheld
	t.withheld = ""
	return text
}

// failure rewrites gonb's error, or returns nil where gonb's words are to stay.
func (t *errorText) failure(m *wire.Message) *failure {
	var said failure
	if t.raw || m.Decode(&said) != nil {
		return nil
	}
	if note := exitNote.FindStringSubmatch(said.Value); note != nil {
		return t.ended(note[2])
	}
	return t.didNotBuild(said)
}

// ended is the box of a program that ran.
func (t *errorText) ended(how string) *failure {
	if t.told != nil {
		return t.said()
	}
	if found := panicLine.FindStringSubmatch(t.stderr); found != nil {
		f := fail(found[1], "%s%s", colour.ReplaceAllString(found[2], ""), t.place())
		f.Traceback = append(f.Traceback, frames(t.released())...)
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

// mostFrames bounds the trace in a box: of a recursion without an end the first calls say enough.
const mostFrames = 40

// frames are the lines of a panic's trace that say something beyond its first line.
func frames(trace string) []string {
	var kept []string
	for i, line := range strings.Split(strings.TrimSpace(colour.ReplaceAllString(trace, "")), "\n") {
		if i == 0 || strings.TrimSpace(line) == "" || strings.HasPrefix(line, "goroutine 1 [running]") {
			continue
		}
		if len(kept) == mostFrames {
			return append(kept, "…")
		}
		kept = append(kept, "    "+strings.ReplaceAll(line, "\t", "  "))
	}
	return kept
}

// place is the first line of a cell in a trace.
func (t *errorText) place() string {
	if found := traceLine.FindStringSubmatch(t.stderr); found != nil {
		return fmt.Sprintf(" (%s line %s)", found[1], found[2])
	}
	return t.searched()
}

// searched finds the cell's line for a trace in which gonb marked none, as it does when the trace arrives in pieces: it
// is the one that reads like the line of the program.
func (t *errorText) searched() string {
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
			return "" // two lines read so
		}
		place = fmt.Sprintf(" (Cell [%d] line %d)", t.count, i+1)
	}
	return place
}

func lastLine(text string) string {
	text = strings.TrimSpace(colour.ReplaceAllString(text, ""))
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// A buildError is one message of the compiler's about a cell.
type buildError struct {
	where, message string
	shown          []string // the line, and a caret below
	victim         string   // the package that is undefined only because of a misspelt name elsewhere
}

// didNotBuild is the box of a cell that does not compile: each message with its place and the line it is about.
func (t *errorText) didNotBuild(said failure) *failure {
	f := &failure{Name: "build failed"}
	var values []string
	for _, e := range t.buildErrors(said) {
		values = append(values, e.where+e.message)
		f.Traceback = append(f.Traceback, e.where+red(e.message))
		f.Traceback = append(f.Traceback, e.shown...)
	}
	f.Value = strings.Join(values, "\n")
	if command, ok := strings.CutPrefix(f.Value, "executing special commands in cell: "); ok {
		return fail("command failed", "%s", command)
	}
	if strings.Contains(f.Value, "expected declaration, found") {
		f.Traceback = append(f.Traceback,
			"Statements stand below a line of their own with %%; above it are only declarations.")
	}
	return f
}

// buildErrors reads the compiler's messages, and puts right what it says of misspelt names of the standard library.
func (t *errorText) buildErrors(said failure) []buildError {
	var all []buildError
	blamed := map[string]bool{}
	for _, entry := range said.Traceback {
		lines := strings.Split(strings.TrimRight(colour.ReplaceAllString(entry, ""), "\n"), "\n")
		e := buildError{message: lines[len(lines)-1]}
		if place := buildLine.FindStringSubmatch(lines[0]); place != nil {
			e.where = strings.TrimSpace(place[1]+" "+place[2]) + " line " + place[3] + ": "
			line, column := pointed(lines)
			e.shown = shown(line, column)
			name, blame := standard{t.root}.misspelt(e.message, line, column)
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

// pointed is the line that a message is about, and the column, in bytes, at which a caret points; -1 without one.
func pointed(context []string) (line string, column int) {
	for i := 1; i < len(context); i++ {
		if caretLine.MatchString(context[i]) {
			return context[i-1], len(context[i]) - 1
		}
	}
	return "", -1
}

// shown is a line with a caret below. The compiler counts bytes, so a tab takes one place.
func shown(line string, column int) []string {
	if column < 0 {
		return nil
	}
	return []string{"    " + strings.ReplaceAll(line, "\t", " "), "    " + strings.Repeat(" ", column) + "^"}
}
