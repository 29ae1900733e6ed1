package launcher

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext/wire"
)

// An errorText makes one readable box of what gonb says about a cell that fails.
type errorText struct {
	raw    bool   // leave gonb's own words
	code   string // of the cell
	count  int    // the cell's number
	stderr string
}

// stderrKept is how much of a cell's last words is searched for a panic.
const stderrKept = 64 << 10

var (
	exitNote  = regexp.MustCompile(`^(\^C\n)?((exit status|signal:) [^\n]+)\n?$`)
	panicLine = regexp.MustCompile(`(?m)^(panic|fatal error): (.*)$`)
	mainLine  = regexp.MustCompile(`(/\S+/gonb_[0-9a-f]+/main\.go):(\d+)`)
	traceLine = regexp.MustCompile(`\[\[ (Cell \[\d+\]) Line (\d+) \]\]`)
	buildLine = regexp.MustCompile(`^(Cell) ?(\[\d+\])?:? Line (\d+)$`)
	colour    = regexp.MustCompile("\x1b\\[[0-9;]*m")
	caretLine = regexp.MustCompile(`^ *\^$`)
)

// stream listens to what the cell prints, and says whether the message is only gonb's note of the exit status, which
// the error box repeats.
func (t *errorText) stream(m *wire.Message) (redundant bool) {
	var content struct{ Name, Text string }
	if t.raw || m.Decode(&content) != nil || content.Name != "stderr" {
		return false
	}
	if exitNote.MatchString(content.Text) {
		return true
	}
	t.stderr += content.Text
	if extra := len(t.stderr) - stderrKept; extra > 0 {
		t.stderr = t.stderr[extra:]
	}
	return false
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
	return didNotBuild(said)
}

// ended is the box of a program that ran. What it printed stands above, so the box is short.
func (t *errorText) ended(how string) *failure {
	if found := panicLine.FindStringSubmatch(t.stderr); found != nil {
		return fail(found[1], "%s%s", colour.ReplaceAllString(found[2], ""), t.place())
	}
	switch how {
	case "signal: interrupt":
		return fail("interrupted", "the cell was stopped")
	case "signal: killed":
		return fail("killed", "the cell was killed: it did not stop when asked, or there was not enough memory")
	}
	return &failure{Name: how, Value: lastLine(t.stderr), Traceback: []string{red(how)}}
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

// didNotBuild is the box of a cell that does not compile: each message with its place and the line it is about.
func didNotBuild(said failure) *failure {
	f := &failure{Name: "build failed"}
	var values []string
	for _, entry := range said.Traceback {
		lines := strings.Split(strings.TrimRight(colour.ReplaceAllString(entry, ""), "\n"), "\n")
		message := lines[len(lines)-1]
		place := buildLine.FindStringSubmatch(lines[0])
		switch {
		case place != nil:
			where := strings.TrimSpace(place[1]+" "+place[2]) + " line " + place[3] + ": "
			values = append(values, where+message)
			f.Traceback = append(f.Traceback, where+red(message))
			f.Traceback = append(f.Traceback, shown(lines)...)
		case message == "" || strings.HasPrefix(message, "# gonb_"):
		default:
			values = append(values, message)
			f.Traceback = append(f.Traceback, red(message))
		}
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

// shown is the line of the cell that a message is about, with a caret below. The compiler counts bytes, so a tab takes
// one place.
func shown(context []string) []string {
	for i := 1; i < len(context); i++ {
		if caretLine.MatchString(context[i]) {
			return []string{"    " + strings.ReplaceAll(context[i-1], "\t", " "), "    " + context[i]}
		}
	}
	return nil
}
