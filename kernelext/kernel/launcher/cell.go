package launcher

import (
	"slices"
	"strings"
)

// isGo tells cells of Go from cells whose text is another program's or a file's.
func isGo(lines []string) bool {
	switch word(lines[0]) {
	case "%%script", "%%bash", "%%sh", "%%gx", "%%writefile":
		return false
	}
	return true
}

// bare drops the comment that lets an editor take gonb's own line for Go.
func bare(line string) string { return strings.TrimPrefix(line, "//gonb:") }

// isSpecial tells gonb's own lines from Go.
func isSpecial(line string) bool {
	line = bare(line)
	return strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!")
}

// continues says that a special line goes on in the next.
func continues(line string) bool { return strings.HasSuffix(line, `\`) }

// word is the first word of a line.
func word(line string) string {
	fields := strings.Fields(bare(line))
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}

// opensMain says that the lines below are the body of main.
func opensMain(line string) bool {
	first := word(line)
	return first == "%%" || first == "%main"
}

// lineCommands are the words that gonb v0.11.4 knows after a percent sign.
var lineCommands = []string{"%", "main", "args", "test", "exec", "wasm", "widgets", "widgets_hb", "env", "cd",
	"goflags", "autoget", "noautoget", "help",
	"version", "reset", "ls", "list", "rm", "remove", "with_inputs", "with_password", "track", "untrack", "goworkfix",
	"capture"}

// unknownCommand finds the first special line that gonb would not understand: it passes over some of them and ends at a
// lone % or !.
func unknownCommand(lines []string) (command string, found bool) {
	continued := false
	for _, line := range lines {
		line = bare(line)
		inside := continued
		continued = (inside || isSpecial(line)) && continues(line)
		if inside || !isSpecial(line) || word(line) == magicWord {
			continue
		}
		rest := strings.TrimLeft(line[1:], " \t")
		if line[0] == '!' && rest != "" {
			continue
		}
		if fields := strings.Fields(rest); line[0] == '!' || len(fields) == 0 ||
			!slices.Contains(lineCommands, fields[0]) {
			return strings.TrimSpace(line[:1] + word(rest)), true
		}
	}
	return "", false
}
