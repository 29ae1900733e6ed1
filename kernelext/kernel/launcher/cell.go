package launcher

import (
	"slices"
	"strings"
)

// isGo reports whether a cell holds Go rather than a script or a file.
func isGo(lines []string) bool {
	switch word(lines[0]) {
	case "%%script", "%%bash", "%%sh", "%%gx", "%%writefile":
		return false
	}
	return true
}

// stripGonb removes the comment prefix that hides a gonb command from Go editors.
func stripGonb(line string) string { return strings.TrimPrefix(line, "//gonb:") }

// isSpecial reports whether a line is a gonb command rather than Go.
func isSpecial(line string) bool {
	line = stripGonb(line)
	return strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!")
}

// continues reports whether a special line continues on the next line.
func continues(line string) bool { return strings.HasSuffix(line, `\`) }

// word returns the first word of a line.
func word(line string) string {
	fields := strings.Fields(stripGonb(line))
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}

// opensMain reports whether the lines after line are the body of main.
func opensMain(line string) bool {
	first := word(line)
	return first == "%%" || first == "%main"
}

// lineCommands lists the commands that gonb v0.11.4 accepts after a percent sign.
var lineCommands = []string{"%", "main", "args", "test", "exec", "wasm", "widgets", "widgets_hb", "env", "cd",
	"goflags", "autoget", "noautoget", "help",
	"version", "reset", "ls", "list", "rm", "remove", "with_inputs", "with_password", "track", "untrack", "goworkfix",
	"capture"}

// unknownCommand returns the first special line that gonb would not understand. gonb ignores some such lines, and exits
// on a lone % or !.
func unknownCommand(lines []string) (command string, found bool) {
	continued := false
	for _, line := range lines {
		line = stripGonb(line)
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
