// Command documents writes README.md and docs/*.md from the sources in docs/src.
//
// A source is a template of package text/template. Its functions run a command line (LINE, without "bin/unlearnlab")
// once and return its output:
//
//	{{output LINE}}                          all of it, as Markdown
//	{{rows LINE COLUMN...}}                  its table alone, or these columns, without title and note
//	{{cell LINE ROW COLUMN OPTION...}}       a number of the table, as printed or as the options of [excerpt.Show] say
//	{{cells LINE ROW COLUMN...}}             whole cells, with bars between them, for a line of a table
//	{{count LINE COLUMN TEXT}}               how many rows have this text in the column
//	{{least LINE COLUMN ROWS OPTION...}}     the least number of the column in rows with ROWS in their names; most
//	{{match LINE REGEXP}}                    the group of a regular expression in the text
//	{{summary PAPER}}                        what came out of a paper, as unlearnlab report PAPER --summary prints it
//	{{figure LINE CAPTION}}                  the picture that unlearnlab figures LINE draws, as docs/PAPER-FIGURE.png
//
// ROW and COLUMN are names or parts of one name alone. A variable holds a line that is used often:
// {{$v := "table remem verdicts --preset mini" -}}. Numbers of a design or of a paper are plain text.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"text/template"
)

func main() {
	check := flag.Bool("check", false, "write nothing; name the first line that is not current")
	flag.Parse()
	if err := documents(*check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// documents writes all documents, or checks them if check is set.
func documents(check bool) error {
	sources, err := filepath.Glob("docs/src/*.md")
	if err != nil || len(sources) == 0 {
		return errors.Join(err, errors.New("no docs/src/*.md here; run make docs in the root of the repository"))
	}
	folder, err := os.MkdirTemp("", "documents")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	os.Setenv("UNLEARNLAB_HOME", filepath.Join(folder, "home")) // it is empty, so that only shipped results are read
	c := &commands{run: execute, check: check, drawn: filepath.Join(folder, "figures"), once: map[string]func() (string, error){}}
	problems := make([]error, len(sources))
	var all sync.WaitGroup
	for i, source := range sources {
		all.Go(func() { problems[i] = c.document(source) })
	}
	all.Wait()
	return errors.Join(problems...)
}

// document writes or checks the document for one source.
func (c *commands) document(source string) error {
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	made, err := c.expand(source, string(text))
	if err != nil {
		return err
	}
	target := filepath.Join("docs", filepath.Base(source))
	if filepath.Base(source) == "README.md" {
		target = "README.md"
	}
	if !c.check {
		return os.WriteFile(target, []byte(made), 0o644)
	}
	current, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	return difference(target, string(current), made)
}

// problem matches an error of package text/template: the position, the text around a function's error, and the error.
var problem = regexp.MustCompile(`(?s)^template: (.*?:\d+)(?::\d+: executing .*? error calling \w+)?: (.*)$`)

// expand returns the document for a source.
func (c *commands) expand(source, text string) (string, error) {
	t, err := template.New(source).Funcs(template.FuncMap{"output": c.output, "rows": c.rows, "cell": c.cell,
		"cells": c.cells, "count": c.count, "least": c.extreme(-1), "most": c.extreme(1), "match": c.match,
		"figure": c.figure, "summary": c.summary}).Parse(text)
	var made strings.Builder
	fmt.Fprintf(&made, "<!-- Generated from %s by \"make docs\": change that file. -->\n", source)
	if err == nil {
		err = t.Execute(&made, nil)
	}
	if err != nil {
		return "", errors.New(problem.ReplaceAllString(err.Error(), "$1: $2"))
	}
	return made.String(), nil
}

// difference returns an error with the first line of a document that is not current.
func difference(target, is, should string) error {
	if is == should {
		return nil
	}
	was, new := strings.Split(is+"\n(end)", "\n"), strings.Split(should+"\n(end)", "\n")
	i := 0
	for was[i] == new[i] {
		i++
	}
	return fmt.Errorf("%s:%d is not current; run make docs\n  is     %s\n  should %s", target, i+1, was[i], new[i])
}

// figure draws a figure into docs, or checks the picture there, and returns a link to it.
func (c *commands) figure(line, caption string) (string, error) {
	words := strings.Fields(line)
	picture := words[0] + "-" + words[1] + ".png"
	path, err := c.of("figures " + line + " --format png --out " + c.drawn)
	if err != nil {
		return "", err
	}
	drawn, err := os.ReadFile(strings.TrimSpace(path))
	if err == nil && !c.check {
		err = os.WriteFile("docs/"+picture, drawn, 0o644)
	}
	if err == nil && runtime.GOARCH == "amd64" { // other processors may round pixels differently
		var shown []byte
		if shown, err = os.ReadFile("docs/" + picture); err == nil && !bytes.Equal(shown, drawn) {
			err = fmt.Errorf("docs/%s is not current; run make docs", picture)
		}
	}
	return fmt.Sprintf("![%s](%s)", caption, picture), err
}

// commands runs command lines, each at most once.
type commands struct {
	run   func(line string) (string, error)
	check bool   // whether to check the documents instead of writing them
	drawn string // folder of drawn figures
	lock  sync.Mutex
	once  map[string]func() (string, error)
}

// of returns the output of a command line, which it runs at most once.
func (c *commands) of(line string) (string, error) {
	c.lock.Lock()
	if c.once[line] == nil {
		c.once[line] = sync.OnceValues(func() (string, error) { return c.run(line) })
	}
	once := c.once[line]
	c.lock.Unlock()
	return once()
}

// quoted matches the words of a command line. A word with spaces is in quotes.
var quoted = regexp.MustCompile(`"[^"]*"|\S+`)

// execute runs a command line of the built command.
func execute(line string) (string, error) {
	words := quoted.FindAllString(line, -1)
	for i := range words {
		words[i] = strings.Trim(words[i], `"`)
	}
	output, err := exec.Command("bin/unlearnlab", words...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return "", fmt.Errorf("bin/unlearnlab %s: %w", line, err)
	}
	return strings.TrimSpace(string(output)), nil
}
