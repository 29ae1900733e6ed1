package launcher

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// A manual gets flags and help from the prebuilt command, so that completion never differs from the command. It caches
// what does not depend on files.
type manual struct {
	command string // path of the command; empty if there is none

	mu    sync.Mutex
	known map[string]string
}

// askTimeout limits how long the command may run. A late completion is worse than none.
const askTimeout = time.Second

// ask runs the command, unless it has run before, and returns its output, or "" if it fails.
func (m *manual) ask(args ...string) string {
	key := strings.Join(args, "\x00")
	m.mu.Lock()
	defer m.mu.Unlock()
	if text, ok := m.known[key]; ok {
		return text
	}
	output := m.run(args...)
	if output == "" {
		return ""
	}
	if m.known == nil {
		m.known = map[string]string{}
	}
	m.known[key] = output
	return output
}

func (m *manual) run(args ...string) string {
	if m.command == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	output, err := exec.CommandContext(ctx, m.command, args...).Output()
	if err != nil {
		return ""
	}
	return string(output)
}

// complete returns what the command's own shell completion offers for the last of some words: flags, or values of the
// flag before it.
func (m *manual) complete(words ...string) []string {
	ask := m.run
	if strings.HasPrefix(words[len(words)-1], "-") {
		ask = m.ask
	}
	var found []string
	for line := range strings.Lines(ask(append([]string{"__complete"}, words...)...)) {
		if name, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); name != "" && !strings.HasPrefix(name, ":") {
			found = append(found, name)
		}
	}
	return found
}

// completesMagic reports whether [completeMagic] has completions at the cursor.
func completesMagic(code []rune, cursor int) bool {
	before, _ := lineAt(code, cursor)
	line := string(before)
	return strings.HasPrefix(line, magicWord+" ") || len(line) > 1 && line != magicWord &&
		strings.HasPrefix(magicWord, line)
}

// completeMagic returns the completions at the cursor on a %unlearn line and the position where they start.
func completeMagic(code []rune, cursor int, o Offers,
	command func(words ...string) []string) (matches []string, start int) {
	before, _ := lineAt(code, cursor)
	rest, whole := strings.CutPrefix(string(before), magicWord+" ")
	if !whole {
		return []string{magicWord}, cursor - len(before)
	}
	current := rest[strings.LastIndexAny(rest, " \t")+1:]
	done := strings.Fields(strings.TrimSuffix(rest, current))
	matches = []string{}
	for _, c := range candidates(done, current, o, command) {
		if strings.HasPrefix(c, current) {
			matches = append(matches, c)
		}
	}
	return matches, cursor - len([]rune(current))
}

// candidates returns all words that may follow the words in done. command completes flags and their values.
func candidates(done []string, current string, o Offers, command func(words ...string) []string) []string {
	if len(done) == 0 {
		return verbNames()
	}
	v, known := findVerb(done[0])
	switch {
	case !known:
		return nil
	case strings.HasPrefix(current, "-") && v.answer == nil:
		return command(v.name, "--")
	case v.answer == nil && strings.HasPrefix(done[len(done)-1], "--"):
		return command(append(slices.Clone(done), current)...)
	case v.complete != nil:
		return v.complete(o, done[1:])
	}
	return nil
}

// lineAt returns the cursor's line, both up to the cursor and whole.
func lineAt(code []rune, cursor int) (before, whole []rune) {
	cursor = max(0, min(cursor, len(code)))
	begin, end := cursor, cursor
	for begin > 0 && code[begin-1] != '\n' {
		begin--
	}
	for end < len(code) && code[end] != '\n' {
		end++
	}
	return code[begin:cursor], code[begin:end]
}

// inspectsMagic reports whether the cursor is on a %unlearn line.
func inspectsMagic(code []rune, cursor int) bool {
	_, whole := lineAt(code, cursor)
	return word(string(whole)) == magicWord
}

// inspectMagic describes the verb on the cursor's line, or all verbs if it names none.
func inspectMagic(code []rune, cursor int, help func(verb string) string) string {
	_, whole := lineAt(code, cursor)
	if words := strings.Fields(stripGonb(string(whole))); len(words) > 1 {
		if v, known := findVerb(words[1]); known {
			text := fmt.Sprintf("%s %s\n\n%s", magicWord, v.usage, v.summary)
			if v.answer == nil {
				text += "\n\n" + help(v.name)
			}
			return strings.TrimSpace(text)
		}
	}
	return newNotebook().help(nil).show["text/plain"].(string)
}
