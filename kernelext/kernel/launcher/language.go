package launcher

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/gopls"
)

// A language answers what Go knows of a cell: it asks the language server, which it starts when the kernel starts, so
// that the first Tab finds it ready or hears that it is not.
type language struct {
	server gopls.Server
	folder string // of the module that the cells are to the server
	root   string

	mu      sync.Mutex
	client  *gopls.Client
	opening bool
	ready   bool
	began   time.Time
	problem error
	started []int // processes of servers that this kernel has started, which serve others too
}

// askLimit bounds a question: what comes later nobody waits for.
const askLimit = 10 * time.Second

// openLimit bounds the reading of the packages that cells import.
const openLimit = 5 * time.Minute

func newLanguage(server gopls.Server, root, folder string) *language {
	l := &language{server: server, root: root, folder: filepath.Join(folder, "cells")}
	l.open()
	return l
}

// open connects to the server, in the background, and has it read what cells import.
func (l *language) open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.opening {
		return
	}
	l.opening, l.ready, l.began, l.problem = true, false, time.Now(), nil
	go func() {
		client, err := l.warm()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.client, l.problem = client, err
		l.opening, l.ready = false, err == nil
	}()
}

func (l *language) warm() (*gopls.Client, error) {
	ctx, cancel := context.WithTimeout(context.Background(), openLimit)
	defer cancel()
	var empty program
	d, _ := empty.document([]rune("%%\nkx."), 6, preloaded(l.root), standard{})
	if err := gopls.WriteModule(l.folder, l.root, Module, d); err != nil {
		return nil, err
	}
	client, err := gopls.Open(ctx, l.server, l.folder)
	if err != nil {
		return nil, err
	}
	if client.Started != 0 {
		l.mu.Lock()
		l.started = append(l.started, client.Started)
		l.mu.Unlock()
	}
	_, err = client.Complete(ctx, d)
	return client, err
}

// shared are the processes that outlive this kernel.
func (l *language) shared() []int {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.started
}

// close leaves the server.
func (l *language) close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	client := l.client
	l.mu.Unlock()
	if client != nil {
		client.Close()
	}
}

// now is the client, or in words why there is none to ask. A server that has ended is started again.
func (l *language) now() (client *gopls.Client, why string) {
	l.mu.Lock()
	ready, opening, client := l.ready, l.opening, l.client
	took, problem := time.Since(l.began).Round(time.Second), l.problem
	l.mu.Unlock()
	switch {
	case opening:
		return nil, fmt.Sprintf("gopls reads Go's packages, for %s now; try again", took)
	case !ready:
		return nil, fmt.Sprintf("gopls does not answer: %v", problem)
	case client.Over():
		l.open()
		return nil, "gopls had ended and starts again; try again"
	}
	return client, ""
}

// complete gives what may stand at the cursor and where it begins. While the server is not ready it says so, in a
// comment that harms nobody who chooses it.
func (l *language) complete(d gopls.Document, code []rune, cursor int) (matches []gopls.Match, start int) {
	client, why := l.now()
	if client == nil {
		start = cursor - len(typed(code[:cursor]))
		word := string(code[start:cursor])
		return []gopls.Match{{Text: word, Kind: "text"}, {Text: word + "/* " + why + " */", Kind: "text"}}, start
	}
	ctx, cancel := context.WithTimeout(context.Background(), askLimit)
	defer cancel()
	matches, err := client.Complete(ctx, d)
	if err != nil || len(matches) == 0 {
		return nil, cursor
	}
	start = back(code, cursor, matches[0].Back)
	same := matches[:0]
	for _, m := range matches {
		if m.Back == matches[0].Back { // front ends know one place for all
			same = append(same, m)
		}
	}
	return same, start
}

// inspect is the documentation, in Markdown, of what stands at one of some places, the first that has any.
func (l *language) inspect(documents []gopls.Document) string {
	client, why := l.now()
	if client == nil {
		return why
	}
	ctx, cancel := context.WithTimeout(context.Background(), askLimit)
	defer cancel()
	for _, d := range documents {
		if text, err := client.Hover(ctx, d); err == nil && text != "" {
			return text
		}
	}
	return ""
}

// typed is the name, with its qualifiers, that ends a text.
func typed(text []rune) []rune {
	at := len(text)
	for at > 0 && (text[at-1] == '.' || inName(text[at-1])) {
		at--
	}
	return text[at:]
}

func inName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// touchesName says whether a name stands at the cursor.
func touchesName(code []rune, cursor int) bool {
	return cursor > 0 && inName(code[cursor-1]) || cursor < len(code) && inName(code[cursor])
}

// back is the place so many UTF-16 characters before the cursor.
func back(code []rune, cursor, characters int) int {
	for cursor > 0 && characters > 0 {
		cursor--
		characters -= max(1, utf16.RuneLen(code[cursor]))
	}
	return cursor
}

// called is the place of the function in whose brackets the cursor is, by counting brackets; the cursor's own where it
// is in none.
func called(code []rune, cursor int) int {
	open := 0
	for at := cursor - 1; at >= 0; at-- {
		switch code[at] {
		case ')':
			open++
		case '(':
			if open--; open < 0 {
				return at
			}
		case '\n':
			if open == 0 && cursor-at > 2_000 {
				return cursor
			}
		}
	}
	return cursor
}
