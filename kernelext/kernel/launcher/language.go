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

// A language provides completion and documentation for Go in cells through the language server. It starts the server
// with the kernel, so that it is ready at the first Tab, or can report why not.
type language struct {
	server gopls.Server
	folder string // folder of the module that presents the cells to the server
	root   string

	mu      sync.Mutex
	client  *gopls.Client
	opening bool
	ready   bool
	began   time.Time
	problem error
	started []int // process IDs of the servers started by this kernel, which other kernels share
}

// askLimit limits a request; nobody waits longer for a completion.
const askLimit = 10 * time.Second

// openLimit limits how long the packages that cells import may take to load.
const openLimit = 5 * time.Minute

func newLanguage(server gopls.Server, root, folder string) *language {
	l := &language{server: server, root: root, folder: filepath.Join(folder, "cells")}
	l.open()
	return l
}

// open connects to the server in the background and makes it load the packages that cells import.
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

// sharedServers returns the process IDs of servers that outlive this kernel.
func (l *language) sharedServers() []int {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.started
}

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

// current returns the client, or the reason why it cannot be used. It restarts a server that has ended.
func (l *language) current() (client *gopls.Client, why string) {
	l.mu.Lock()
	ready, opening, client := l.ready, l.opening, l.client
	took, problem := time.Since(l.began).Round(time.Second), l.problem
	l.mu.Unlock()
	switch {
	case opening:
		return nil, fmt.Sprintf("gopls has been loading packages for %s; try again", took)
	case !ready:
		return nil, fmt.Sprintf("gopls does not answer: %v", problem)
	case client.Over():
		l.open()
		return nil, "gopls has ended and is starting again; try again"
	}
	return client, ""
}

// complete returns the completions at the cursor and the position where they start. ready is false if there is no
// server, or if the server is still loading.
func (l *language) complete(d gopls.Document, code []rune, cursor int) (matches []gopls.Match, start int, ready bool) {
	if l == nil {
		return nil, cursor, false
	}
	client, _ := l.current()
	if client == nil {
		return nil, cursor, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), askLimit)
	defer cancel()
	matches, err := client.Complete(ctx, d)
	if err != nil || len(matches) == 0 {
		return nil, cursor, true
	}
	start = stepBack(code, cursor, matches[0].Back)
	same := matches[:0]
	for _, m := range matches {
		if m.Back == matches[0].Back { // front ends accept a single start for all matches
			same = append(same, m)
		}
	}
	return same, start, true
}

// inspect returns the documentation, in Markdown, at the first of several positions that has any.
func (l *language) inspect(documents []gopls.Document) string {
	client, why := l.current()
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

// typedName returns the qualified name that ends a text.
func typedName(text []rune) []rune {
	at := len(text)
	for at > 0 && (text[at-1] == '.' || inName(text[at-1])) {
		at--
	}
	return text[at:]
}

func inName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// touchesName reports whether the cursor touches a name.
func touchesName(code []rune, cursor int) bool {
	return cursor > 0 && inName(code[cursor-1]) || cursor < len(code) && inName(code[cursor])
}

// stepBack returns the position that is a number of UTF-16 units before the cursor.
func stepBack(code []rune, cursor, characters int) int {
	for cursor > 0 && characters > 0 {
		cursor--
		characters -= max(1, utf16.RuneLen(code[cursor]))
	}
	return cursor
}

// calledAt returns the position of the opening parenthesis of the call around the cursor, or cursor if there is none.
func calledAt(code []rune, cursor int) int {
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
