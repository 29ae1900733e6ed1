package notebook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

// A Source is the source of a notebook: Markdown with Go fences.
type Source struct {
	Name  string // file name without its extension
	Title string
	Cells []SourceCell
}

// A SourceCell is one cell of a source.
type SourceCell struct {
	Line     int // number of the first line
	Type     CellType
	Text     string
	Name     string        // optional name
	Timeout  time.Duration // optional time limit
	Volatile bool          // outputs differ from run to run
}

// ReadSource reads a source file.
func ReadSource(path string) (*Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("notebook source: %w", err)
	}
	if info.Size() > maxSize {
		return nil, fmt.Errorf("notebook source %s: %d MB, at most %d are accepted", path, info.Size()>>20, maxSize>>20)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("notebook source: %w", err)
	}
	source, err := ParseSource(strings.TrimSuffix(filepath.Base(path), ".md"), string(text))
	if err != nil {
		return nil, fmt.Errorf("notebook source %s:%w", path, err)
	}
	return source, nil
}

// ParseSource parses a source. Errors begin with a line number.
func ParseSource(name, text string) (*Source, error) {
	p := &sourceParser{source: &Source{Name: name}, names: map[string]int{},
		lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")}
	if err := p.frontMatter(); err != nil {
		return nil, err
	}
	for p.at < len(p.lines) {
		if err := p.line(); err != nil {
			return nil, err
		}
	}
	p.endProse()
	if len(p.source.Cells) > maxCells {
		return nil, fmt.Errorf("%d: %d cells, at most %d are accepted", len(p.lines), len(p.source.Cells), maxCells)
	}
	return p.source, nil
}

type sourceParser struct {
	source *Source
	lines  []string
	at     int            // index of the next line
	prose  []string       // lines of the open Markdown cell
	begins int            // first line of the open Markdown cell
	names  map[string]int // line numbers of cells by name
}

// frontMatter parses the "key: value" lines between two lines of dashes at the top. The only key is title.
func (p *sourceParser) frontMatter() error {
	if p.lines[0] != "---" {
		return nil
	}
	for p.at = 1; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		if line == "---" {
			p.at++
			return nil
		}
		key, value, ok := strings.Cut(line, ":")
		switch {
		case strings.TrimSpace(line) == "":
		case !ok || strings.TrimSpace(key) != "title":
			return fmt.Errorf("%d: front matter has one key, title, not %q", p.at+1, line)
		default:
			p.source.Title = strings.TrimSpace(value)
		}
	}
	return fmt.Errorf("1: front matter does not end; close it with a line of ---")
}

var (
	fenceOpen = regexp.MustCompile("^(```+|~~~+)[ \t]*([^`]*)$")
	heading   = regexp.MustCompile(`^#{1,6}[ \t]`)
)

// line parses one line of prose or a whole fence.
func (p *sourceParser) line() error {
	line := p.lines[p.at]
	if m := fenceOpen.FindStringSubmatch(line); m != nil {
		return p.fence(m[1], strings.Fields(m[2]))
	}
	switch {
	case line == "---":
		p.endProse()
		p.at++
		return nil
	case heading.MatchString(line):
		p.endProse()
	}
	p.addProse(line)
	p.at++
	return nil
}

func (p *sourceParser) addProse(line string) {
	if len(p.prose) == 0 {
		p.begins = p.at + 1
	}
	p.prose = append(p.prose, line)
}

func (p *sourceParser) endProse() {
	if text := strings.Trim(strings.Join(p.prose, "\n"), "\n"); strings.TrimSpace(text) != "" {
		p.source.Cells = append(p.source.Cells, SourceCell{Line: p.begins, Type: Markdown, Text: text})
	}
	p.prose = nil
}

// fence parses a fenced block: a cell if it is Go without the option prose, otherwise prose.
func (p *sourceParser) fence(mark string, info []string) error {
	opened := p.at
	end := opened + 1
	for end < len(p.lines) && !closes(p.lines[end], mark) {
		end++
	}
	if end == len(p.lines) {
		return fmt.Errorf("%d: the fence does not end; close it with a line of %s", opened+1, mark)
	}
	body := p.lines[opened+1 : end]
	cell := SourceCell{Line: opened + 1, Type: Code, Text: strings.Join(body, "\n")}
	prose := len(info) == 0 || info[0] != "go"
	if !prose {
		var err error
		if prose, err = cell.options(info[1:]); err != nil {
			return fmt.Errorf("%d: %w", opened+1, err)
		}
	}
	if prose {
		if len(info) > 0 && info[0] == "go" {
			p.addProse(mark + "go") // drop the option, which is not part of Markdown
		} else {
			p.addProse(p.lines[opened])
		}
		p.prose = append(append(p.prose, body...), p.lines[end])
		p.at = end + 1
		return nil
	}
	if first, taken := p.names[cell.Name]; taken && cell.Name != "" {
		return fmt.Errorf("%d: the cell at line %[3]d has the name %[2]q too", opened+1, cell.Name, first)
	}
	p.names[cell.Name] = opened + 1
	p.endProse()
	p.source.Cells = append(p.source.Cells, cell)
	p.at = end + 1
	return nil
}

// closes reports whether a line closes a fence opened with mark: the same character, at least as often.
func closes(line, mark string) bool {
	line = strings.TrimRight(line, " \t")
	return len(line) >= len(mark) && strings.Trim(line, mark[:1]) == "" && line != ""
}

// options parses the words after a fence's language. prose reports whether the fence is only to be read.
func (c *SourceCell) options(words []string) (prose bool, err error) {
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "name":
			if !cellID.MatchString(value) {
				return false, fmt.Errorf("name %q is not 1 to 64 letters, digits, - and _", value)
			}
			c.Name = value
		case "timeout":
			if c.Timeout, err = time.ParseDuration(value); err != nil || c.Timeout <= 0 {
				return false, fmt.Errorf("timeout %q is not a time such as 60s", value)
			}
		case "volatile":
			c.Volatile = true
		case "prose":
			prose = true
		default:
			return false, fmt.Errorf("option %q is not name=, timeout=, volatile or prose", word)
		}
	}
	return prose, nil
}

// Keys in a cell's metadata.
const (
	optionsKey  = "unlearnlab"
	timeoutKey  = "timeout"
	volatileKey = "volatile"
)

// Notebook returns the source's notebook, not executed. A cell's ID depends on the notebook's name and the cell's name,
// or its type and text if it has no name. It does not depend on the position, so inserting or moving a cell keeps the
// other IDs.
func (s *Source) Notebook() *Notebook {
	n := &Notebook{Minor: 5, Metadata: map[string]any{
		"kernelspec":    map[string]any{"name": KernelName, "display_name": kernelTitle, "language": "go"},
		"language_info": launcher.Language(),
	}}
	if s.Title != "" {
		n.Metadata["title"] = s.Title
	}
	seen := map[string]int{}
	for _, sc := range s.Cells {
		c := &Cell{Type: sc.Type, Source: sc.Text, Metadata: map[string]any{}}
		identity := string(sc.Type) + "\x00" + sc.Text
		if sc.Name != "" {
			identity = "name\x00" + sc.Name
			c.Metadata["name"] = sc.Name
		}
		options := map[string]any{}
		if sc.Timeout > 0 {
			options[timeoutKey] = sc.Timeout.String()
		}
		if sc.Volatile {
			options[volatileKey] = true
		}
		if len(options) > 0 {
			c.Metadata[optionsKey] = options
		}
		c.ID = stableID(s.Name, identity, seen[identity])
		seen[identity]++
		n.Cells = append(n.Cells, c)
	}
	return n
}

func stableID(notebook, identity string, repetition int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", notebook, identity, repetition))
	return hex.EncodeToString(sum[:8])
}

// options returns the options stored in the cell's metadata.
func (c *Cell) options() (timeout time.Duration, volatile bool) {
	options, _ := c.Metadata[optionsKey].(map[string]any)
	volatile, _ = options[volatileKey].(bool)
	if written, ok := options[timeoutKey].(string); ok {
		if d, err := time.ParseDuration(written); err == nil && d > 0 {
			timeout = d
		}
	}
	return timeout, volatile
}
