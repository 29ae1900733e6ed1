package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write what commands print into the documents")

// pasted is a place of a document for what a command prints.
var pasted = regexp.MustCompile("(?s)(<!-- bin/unlearnlab ([^\n]*) -->\n)(.*?)(<!-- end -->\n)")

// words are a command line's words; those with spaces stand between quotes.
var words = regexp.MustCompile(`"[^"]*"|\S+`)

// unwrapped is what cannot be wrapped: what commands print, sources of numbers, code, tables and pictures.
var unwrapped = regexp.MustCompile(
	"(?s)<!-- bin/unlearnlab.*?<!-- end -->|<!--.*?-->|```.*?```|(?m:^(?:\\||!\\[|\\[!\\[)[^\n]*$)")

func TestProseEndsByColumn120(t *testing.T) {
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range append(documents, "../../README.md") {
		content, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(unwrapped.ReplaceAllString(string(content), "")) {
			if width := utf8.RuneCountInString(strings.TrimRight(line, "\n")); width > 120 {
				t.Errorf("%s has a line of %d columns: %s", document, width, line)
			}
		}
	}
}

func TestDocumentsShowWhatTheirCommandsPrint(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	t.Setenv("UNLEARNLAB_HOME", t.TempDir()) // what ships, and no runs of whoever tests
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	places := 0
	for _, document := range documents {
		content, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		made := pasted.ReplaceAllStringFunc(string(content), func(place string) string {
			places++
			parts := pasted.FindStringSubmatch(place)
			line := words.FindAllString(parts[2], -1)
			for i := range line {
				line[i] = strings.Trim(line[i], `"`)
			}
			code, stdout, stderr := command(line...)
			if code != exitDone {
				t.Errorf("%s: %s: exit %d, %s", document, parts[2], code, stderr)
				return place
			}
			return parts[1] + stdout + parts[4]
		})
		switch {
		case made == string(content):
		case *update:
			if err := os.WriteFile(document, []byte(made), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s shows something else than its commands print; go test -run Documents -update "+
				"./cmd/unlearnlab writes it", document)
		}
	}
	if places == 0 {
		t.Error("no document shows what a command prints")
	}
}
