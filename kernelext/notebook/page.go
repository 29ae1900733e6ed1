package notebook

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

//go:embed page.css
var pageStyle string

// markdown renders prose. Markup in it is left out, and links to scripts too: goldmark's defaults.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// HTML writes the notebook as one page that needs nothing else: no script, no network, pictures inside. Outputs of
// others cannot run anything in it.
func (n *Notebook) HTML(w io.Writer, title string) error {
	if own, ok := n.Metadata["title"].(string); ok && own != "" {
		title = own
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<main>
`, html.EscapeString(title), pageStyle)
	for _, c := range n.Cells {
		if err := c.html(&out); err != nil {
			return fmt.Errorf("%s: %w", n.Label(c), err)
		}
	}
	out.WriteString("</main>\n</body>\n</html>\n")
	_, err := io.WriteString(w, out.String())
	return err
}

func (c *Cell) html(out *strings.Builder) error {
	switch c.Type {
	case Markdown:
		return prose(out, c.Source)
	case Code:
		number := " "
		if c.ExecutionCount > 0 {
			number = fmt.Sprint(c.ExecutionCount)
		}
		fmt.Fprintf(out, "<section class=\"code\">\n<pre class=\"source\" data-count=\"[%s]\"><code>%s</code></pre>\n",
			number, highlight(c.Source))
		for _, o := range c.Outputs {
			if err := o.html(out); err != nil {
				return err
			}
		}
		out.WriteString("</section>\n")
	}
	return nil
}

func prose(out *strings.Builder, source string) error {
	var page bytes.Buffer
	if err := markdown.Convert([]byte(source), &page); err != nil {
		return err
	}
	fmt.Fprintf(out, "<section class=\"prose\">\n%s</section>\n", page.String())
	return nil
}

// html writes the richest form of an output that a page can hold.
func (o *Output) html(out *strings.Builder) error {
	switch o.Type {
	case Stream:
		preformatted(out, o.Name, o.Text)
		return nil
	case Failure:
		text := strings.Join(o.Traceback, "\n")
		if text == "" {
			text = o.ErrorName + ": " + o.ErrorValue
		}
		preformatted(out, "error", text)
		return nil
	}
	alternative, _ := o.Data["text/plain"].(string)
	for _, kind := range []string{"image/png", "image/jpeg", "image/gif", "image/svg+xml"} {
		if data, ok := o.Data[kind].(string); ok {
			o.picture(out, kind, data, alternative)
			return nil
		}
	}
	if page, ok := o.Data["text/html"].(string); ok {
		fmt.Fprintf(out, "<div class=\"output\">%s</div>\n", sanitize(page))
		return nil
	}
	if text, ok := o.Data["text/markdown"].(string); ok {
		return prose(out, text)
	}
	if alternative != "" {
		preformatted(out, "stdout", alternative)
	}
	return nil
}

var notBase64 = regexp.MustCompile(`[^A-Za-z0-9+/=]`)

func (o *Output) picture(out *strings.Builder, kind, data, alternative string) {
	if kind == "image/svg+xml" {
		data = base64.StdEncoding.EncodeToString([]byte(data)) // within img a drawing cannot run scripts
	}
	size := ""
	if metadata, ok := o.Metadata[kind].(map[string]any); ok {
		for _, side := range []string{"width", "height"} {
			if pixels, err := metadataNumber(metadata[side]); err == nil {
				size += fmt.Sprintf(` %s="%.0f"`, side, pixels)
			}
		}
	}
	fmt.Fprintf(out, "<figure class=\"output\"><img src=\"data:%s;base64,%s\" alt=\"%s\"%s></figure>\n", kind,
		notBase64.ReplaceAllString(data, ""), html.EscapeString(alternative), size)
}

func metadataNumber(v any) (float64, error) {
	switch v := v.(type) {
	case json.Number:
		return v.Float64()
	case float64:
		return v, nil
	}
	return 0, fmt.Errorf("%v is not a number", v)
}

func preformatted(out *strings.Builder, class, text string) {
	if class != "stdout" && class != "stderr" {
		class = "error"
	}
	fmt.Fprintf(out, "<pre class=\"output %s\">%s</pre>\n", class,
		html.EscapeString(strings.TrimRight(ansi.ReplaceAllString(text, ""), "\n")))
}
