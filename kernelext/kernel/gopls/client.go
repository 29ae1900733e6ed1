package gopls

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A Client queries the server about one kernel's cells.
type Client struct {
	Started int // process ID of the server if this client started it, otherwise 0

	folder string
	conn   *conn

	mu      sync.Mutex // serializes requests, because each has its own text of the cells
	version int
	texts   map[string]string // texts known to the server, by file
}

// Open connects to the server for a kernel whose cells are a module in folder, written by [WriteModule].
func Open(ctx context.Context, s Server, folder string) (*Client, error) {
	stream, started, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	c := &Client{Started: started, folder: folder, texts: map[string]string{}}
	settings := s.settings()
	c.conn = newConn(stream, func(method string, params json.RawMessage) any {
		if method != "workspace/configuration" {
			return nil
		}
		var asked struct{ Items []json.RawMessage }
		json.Unmarshal(params, &asked) // without items, the answer is empty
		answers := make([]any, len(asked.Items))
		for i := range answers {
			answers[i] = settings
		}
		return answers
	})
	if err := c.initialize(ctx, settings); err != nil {
		stream.Close()
		return nil, err
	}
	return c, nil
}

// settings returns the server's settings, which turn off features that a notebook does not show.
func (s Server) settings() map[string]any {
	environment := map[string]string{}
	for _, e := range s.Environment {
		if name, value, found := strings.Cut(e, "="); found && strings.HasPrefix(name, "GO") {
			environment[name] = value
		}
	}
	return map[string]any{
		"env":                            environment,
		"completionBudget":               "1s",
		"diagnosticsTrigger":             "Save",
		"experimentalPostfixCompletions": false,
		"completeFunctionCalls":          false,
		"expandWorkspaceToModule":        false,
		"hoverKind":                      "FullDocumentation",
		"linksInHover":                   false,
		"semanticTokens":                 false,
	}
}

func (c *Client) initialize(ctx context.Context, settings any) error {
	capabilities := map[string]any{
		"workspace": map[string]any{"configuration": true},
		"textDocument": map[string]any{
			"hover":      map[string]any{"contentFormat": []string{"markdown"}},
			"completion": map[string]any{"completionItem": map[string]any{"snippetSupport": false}},
		},
	}
	err := c.conn.call(ctx, "initialize", map[string]any{
		"processId":             nil,
		"rootUri":               uri(c.folder),
		"workspaceFolders":      []any{map[string]any{"uri": uri(c.folder), "name": "cells"}},
		"capabilities":          capabilities,
		"initializationOptions": settings,
	}, nil)
	if err != nil {
		return err
	}
	return c.conn.notify("initialized", struct{}{})
}

// Close disconnects from the server.
func (c *Client) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c.conn.call(ctx, "shutdown", nil, nil) // disconnect even if the server does not answer
	c.conn.notify("exit", nil)
	c.conn.stream.Close()
}

// Over reports whether the server has ended.
func (c *Client) Over() bool { return c.conn.over() }

func uri(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// put sends a file's text to the server if it has changed. The caller must hold the lock.
func (c *Client) put(name, text string) error {
	old, known := c.texts[name]
	if known && old == text {
		return nil
	}
	c.version++
	c.texts[name] = text
	file := uri(filepath.Join(c.folder, name))
	if !known {
		return c.conn.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": file, "languageId": "go", "version": c.version, "text": text}})
	}
	return c.conn.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": file, "version": c.version},
		"contentChanges": []any{map[string]any{"text": text}}})
}

// A Document is a kernel's program: the cell with the cursor, and declarations from earlier cells.
type Document struct {
	Main, Cells string // texts of two files of package main
	At          Position
}

// A Position is a position in Main as the protocol counts it: lines from 0, characters in UTF-16 units.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A Match is a completion at the cursor.
type Match struct {
	Text   string
	Kind   string // function, struct, constant, …
	Detail string // type or signature
	Back   int    // number of UTF-16 units before the cursor that the match replaces
}

// Complete returns distinct completions at a position, best first.
func (c *Client) Complete(ctx context.Context, d Document) ([]Match, error) {
	var list struct {
		Items []struct {
			Label, Detail string
			Kind          int
			TextEdit      *struct {
				NewText string
				Range   struct{ Start, End Position }
			}
		}
	}
	if err := c.ask(ctx, d, "textDocument/completion", &list); err != nil {
		return nil, err
	}
	var matches []Match
	seen := map[string]bool{}
	for _, item := range list.Items {
		edit := item.TextEdit
		if edit == nil || edit.Range.End != d.At || edit.Range.Start.Line != d.At.Line || seen[edit.NewText] {
			continue // a front end replaces only text before the cursor
		}
		seen[edit.NewText] = true
		matches = append(matches, Match{edit.NewText, kindName(item.Kind), item.Detail,
			d.At.Character - edit.Range.Start.Character})
	}
	return matches, nil
}

// Hover returns the documentation, in Markdown, of the name at a position. It returns "" if there is none.
func (c *Client) Hover(ctx context.Context, d Document) (string, error) {
	var hover *struct{ Contents struct{ Value string } }
	if err := c.ask(ctx, d, "textDocument/hover", &hover); err != nil || hover == nil {
		return "", err
	}
	return hover.Contents.Value, nil
}

func (c *Client) ask(ctx context.Context, d Document, method string, result any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, file := range []struct{ name, text string }{{cellsFile, d.Cells}, {mainFile, d.Main}} {
		if err := c.put(file.name, file.text); err != nil {
			return err
		}
	}
	return c.conn.call(ctx, method, map[string]any{
		"textDocument": map[string]any{"uri": uri(filepath.Join(c.folder, mainFile))}, "position": d.At}, result)
}

// kindName returns the name that front ends use for one of the protocol's completion kinds.
func kindName(kind int) string {
	names := map[int]string{2: "method", 3: "function", 5: "field", 6: "variable", 7: "class", 8: "interface",
		9: "module", 14: "keyword", 21: "constant", 22: "struct", 25: "type"}
	if name, known := names[kind]; known {
		return name
	}
	return "text"
}
