package launcher

import (
	"regexp"
	"strings"
)

var (
	panicLine = regexp.MustCompile(`(?m)^(panic|fatal error): (.*)$`)
	fatalLine = regexp.MustCompile(
		`(?m)^(panic: |panic at |fatal error: |runtime: (goroutine stack exceeds|out of memory))`)
	goroutineLine = regexp.MustCompile(`^(?:(goroutine \d+) .*(\[.*\]:)|runtime stack:)$`)
	runtimeFrame  = regexp.MustCompile(`^(created by )?(runtime|runtime/\w+|internal/\w+)\.|^panic\(`)
	cellFrame     = regexp.MustCompile(`\[\[ (Cell \[\d+\]) Line (\d+) \]\].*`)
	addresses     = regexp.MustCompile(` \+0x[0-9a-f]+( fp=.*)?$`)
)

// mostFrames is the maximum number of trace lines in a box.
const mostFrames = 40

// A trace collects the lines of a panic's trace that concern the cell.
type trace struct {
	kept      []string
	header    string          // header line of a goroutine, until a frame of that goroutine is kept
	seen      map[string]bool // the goroutine's frames
	repeating bool            // whether a frame was omitted because it repeats another
}

// traceLines returns the lines of a panic's trace that concern the cell, without the panic's own line. It omits the
// frames of Go's runtime, and those that repeat others of the same goroutine, as in an endless recursion.
func traceLines(text string) []string {
	text = strings.TrimSpace(colour.ReplaceAllString(text, ""))
	if at := panicLine.FindStringIndex(text); at != nil {
		text = text[at[1]:]
	}
	var t trace
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines) && len(t.kept) < mostFrames; i++ {
		line := lines[i]
		switch found := goroutineLine.FindStringSubmatch(line); {
		case found != nil:
			t.begin(found[1] + " " + found[2])
		case i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\t"):
			i++
			t.frame(line, addresses.ReplaceAllString(strings.TrimSpace(lines[i]), ""))
		case line != "" && !(t.repeating && strings.HasPrefix(line, "...")):
			t.keep("    " + line)
		}
	}
	if len(t.kept) >= mostFrames {
		t.kept = append(t.kept[:mostFrames], "    …")
	}
	if t.repeating {
		t.kept = append(t.kept, "    … the same calls again and again")
	}
	return t.kept
}

// begin begins a goroutine. The main one needs no header.
func (t *trace) begin(header string) {
	t.header, t.seen = "    "+header, map[string]bool{}
	if header == "goroutine 1 [running]:" {
		t.header = ""
	}
}

func (t *trace) keep(lines ...string) {
	if t.header != "" {
		t.kept, t.header = append(t.kept, t.header), ""
	}
	t.kept = append(t.kept, lines...)
}

// frame adds a call and its place.
func (t *trace) frame(call, place string) {
	name, _, _ := strings.Cut(call, "(")
	switch key := name + " " + place; {
	case runtimeFrame.MatchString(call):
	case t.seen[key]:
		t.repeating = true
	default:
		if t.seen != nil {
			t.seen[key] = true
		}
		t.keep("    "+call, "      "+cellFrame.ReplaceAllString(place, "$1 line $2"))
	}
}
