package notebook

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

//go:embed page.css
var pageStyle string

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("").Parse(pageSource))

// markdown renders prose. By default, goldmark drops raw HTML and links to scripts.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// page is the template's data for a notebook. Values of type template.HTML are rendered or sanitized here; the template
// escapes all others.
type page struct {
	Title    string
	Style    template.CSS
	Sections []section
}

// section is a cell: prose, or code and its outputs.
type section struct {
	Prose   template.HTML
	Count   string // execution count
	Source  []span
	Outputs []exhibit
}

// exhibit is an output in the richest format that a page can show. It is empty if there is no such format.
type exhibit struct {
	Picture       template.URL
	Width, Height string // picture's size in pixels; "" if unknown
	Fragment      template.HTML
	Prose         template.HTML
	Class         string // CSS class of preformatted text
	Text          string // preformatted text, or the picture's alt text
}

// HTML writes the notebook as one self-contained page without scripts. Outputs of untrusted notebooks cannot execute
// anything in it.
func (n *Notebook) HTML(w io.Writer, title string) error {
	if own, ok := n.Metadata["title"].(string); ok && own != "" {
		title = own
	}
	p := page{Title: title, Style: template.CSS(pageStyle)}
	for _, c := range n.Cells {
		s, err := c.section()
		if err != nil {
			return fmt.Errorf("%s: %w", n.Label(c), err)
		}
		if c.Type == Code || s.Prose != "" {
			p.Sections = append(p.Sections, s)
		}
	}
	return pageTemplate.ExecuteTemplate(w, "page", p)
}

func (c *Cell) section() (section, error) {
	switch c.Type {
	case Markdown:
		rendered, err := prose(c.Source)
		return section{Prose: rendered}, err
	case Code:
		s := section{Count: " ", Source: highlight(c.Source)}
		if c.ExecutionCount > 0 {
			s.Count = strconv.Itoa(c.ExecutionCount)
		}
		for _, o := range c.Outputs {
			output, err := o.exhibit()
			if err != nil {
				return section{}, err
			}
			s.Outputs = append(s.Outputs, output)
		}
		return s, nil
	}
	return section{}, nil
}

func prose(source string) (template.HTML, error) {
	var rendered bytes.Buffer
	err := markdown.Convert([]byte(source), &rendered)
	return template.HTML(rendered.String()), err
}

func (o *Output) exhibit() (exhibit, error) {
	switch o.Type {
	case Stream:
		return preformatted(o.Name, o.Text), nil
	case Failure:
		text := strings.Join(o.Traceback, "\n")
		if text == "" {
			text = o.ErrorName + ": " + o.ErrorValue
		}
		return preformatted("error", text), nil
	}
	alternative, _ := o.Data["text/plain"].(string)
	for _, kind := range []string{"image/png", "image/jpeg", "image/gif", "image/svg+xml"} {
		if data, ok := o.Data[kind].(string); ok {
			return o.picture(kind, data, alternative), nil
		}
	}
	if fragment, ok := o.Data["text/html"].(string); ok {
		return exhibit{Fragment: template.HTML(sanitize(fragment))}, nil
	}
	if text, ok := o.Data["text/markdown"].(string); ok {
		rendered, err := prose(text)
		return exhibit{Prose: rendered}, err
	}
	if alternative != "" {
		return preformatted("stdout", alternative), nil
	}
	return exhibit{}, nil
}

var notBase64 = regexp.MustCompile(`[^A-Za-z0-9+/=]`)

func (o *Output) picture(kind, data, alternative string) exhibit {
	if kind == "image/svg+xml" {
		data = base64.StdEncoding.EncodeToString([]byte(data)) // browsers run no scripts of an SVG in an img element
	}
	s := exhibit{Picture: template.URL("data:" + kind + ";base64," + notBase64.ReplaceAllString(data, "")),
		Text: alternative}
	if metadata, ok := o.Metadata[kind].(map[string]any); ok {
		s.Width, s.Height = pixels(metadata["width"]), pixels(metadata["height"])
	}
	return s
}

// pixels formats a number in the metadata, or returns "" for any other value.
func pixels(v any) string {
	var size float64
	switch v := v.(type) {
	case json.Number:
		var err error
		if size, err = v.Float64(); err != nil {
			return ""
		}
	case float64:
		size = v
	default:
		return ""
	}
	return strconv.FormatFloat(size, 'f', 0, 64)
}

func preformatted(class, text string) exhibit {
	if class != "stdout" && class != "stderr" {
		class = "error"
	}
	return exhibit{Class: class, Text: strings.TrimRight(ansi.ReplaceAllString(text, ""), "\n")}
}
