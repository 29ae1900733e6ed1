package report

import (
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Colours follow JupyterLab's theme if its variables are defined, and have defaults elsewhere. Text inherits its
// colour, so that it is readable on any background.
const (
	lineColour = "var(--jp-border-color2,#e3e3e3)"
	ruleColour = "var(--jp-border-color0,#777)"
	rowColour  = "var(--jp-layout-color2,#f4f4f4)"
	noteColour = "var(--jp-ui-font-color2,#555)"

	tableStyle = "border-collapse:collapse;font:13px/1.5 system-ui,sans-serif;margin:12px 0"
	cellStyle  = "padding:2px 10px;border-bottom:1px solid " + lineColour
	headStyle  = cellStyle + ";border-bottom:1px solid " + ruleColour + ";font-weight:600"
)

// longText is the length from which a text counts as long.
const longText = 40

// shortText is the number of characters that fit on one line of the narrowest column, as in "1 of 20".
const shortText = 10

// short reports whether a text has several words and is so short that it should not be broken.
func short(text string) bool {
	return utf8.RuneCountInString(text) <= shortText && strings.Contains(text, " ")
}

// power matches a number with an exponent. Browsers would break it after the minus sign.
var power = regexp.MustCompile(`^\S* ?[\d.]+e-\d+$`)

// HTML writes the table as an HTML fragment with inline styles, so that it looks the same in a page, a notebook and an
// e-mail. It writes a certified table as [Table.GridHTML] does.
func (t *Table) HTML(w io.Writer) error {
	if t.judged() {
		return t.GridHTML(w)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<table style=\"%s\">\n", tableStyle)
	if t.Title != "" {
		fmt.Fprintf(&out, "<caption style=\"text-align:left;font-weight:600;padding:4px 10px\">%s</caption>\n",
			html.EscapeString(t.Title))
	}
	corner, labels := t.labels()
	out.WriteString("<thead>\n")
	header := t.header()
	for level, spans := range header {
		out.WriteString("<tr>")
		for _, name := range corner {
			if level < len(header)-1 {
				name = ""
			}
			fmt.Fprintf(&out, `<th style="%s;text-align:left">%s</th>`, headStyle, html.EscapeString(name))
		}
		at := 0
		for _, s := range spans {
			fmt.Fprintf(&out, `<th colspan="%d" style="%s;text-align:%s">%s</th>`, s.width, headStyle,
				t.align(at, s.width), html.EscapeString(s.text))
			at += s.width
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</thead>\n<tbody>\n")
	for i, row := range t.Rows {
		t.htmlRow(&out, row, labels[i])
	}
	out.WriteString("</tbody>\n</table>\n")
	if note := t.typesetNote(); note != "" {
		fmt.Fprintf(&out, "<p style=\"font:12px/1.4 system-ui,sans-serif;color:%s;max-width:60em\">%s</p>\n",
			noteColour, strings.ReplaceAll(html.EscapeString(note), "\n", "<br/>"))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func (t *Table) align(at, width int) string {
	switch {
	case width > 1:
		return "center"
	case t.Columns[at].Words:
		return "left"
	}
	return "right"
}

func (t *Table) htmlRow(out *strings.Builder, row Row, labels []string) {
	if row.Reference {
		out.WriteString(`<tr style="background:` + rowColour + `">`)
	} else {
		out.WriteString("<tr>")
	}
	for _, label := range labels {
		fmt.Fprintf(out, `<th scope="row" style="%s;text-align:left;font-weight:400">%s</th>`, cellStyle,
			html.EscapeString(label))
	}
	for i, cell := range row.Cells {
		style, lines := cellStyle, strings.ReplaceAll(html.EscapeString(cell.Text), "\n", "<br/>")
		switch {
		case strings.Contains(cell.Text, "\n"), power.MatchString(cell.Text), short(cell.Text):
			style += ";white-space:nowrap" // break lines only where the text does
		case utf8.RuneCountInString(cell.Text) > longText:
			style += ";min-width:16em" // otherwise a wide table would have one word per line
		}
		fmt.Fprintf(out, `<td style="%s;text-align:%s">%s</td>`, style, t.align(i, 1),
			cell.decorate(lines, "<b>", "</b>", "<u>", "</u>"))
	}
	out.WriteString("</tr>\n")
}
