package report

import (
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Colours follow JupyterLab's theme where its variables are; elsewhere what stands behind them counts. Text has the
// colour of what is around it, so that it can be read on any ground.
const (
	lineColour = "var(--jp-border-color2,#e3e3e3)"
	ruleColour = "var(--jp-border-color0,#777)"
	rowColour  = "var(--jp-layout-color2,#f4f4f4)"
	noteColour = "var(--jp-ui-font-color2,#555)"

	tableStyle = "border-collapse:collapse;font:13px/1.5 system-ui,sans-serif;margin:12px 0"
	cellStyle  = "padding:2px 10px;border-bottom:1px solid " + lineColour
	headStyle  = cellStyle + ";border-bottom:1px solid " + ruleColour + ";font-weight:600"
)

// longText is how many letters are more than a word or two.
const longText = 40

// shortText is how many letters stay on one line in the narrowest column: "1 of 20".
const shortText = 10

// short says that a text is a word or two that belong together.
func short(text string) bool {
	return utf8.RuneCountInString(text) <= shortText && strings.Contains(text, " ")
}

// power is a number that browsers break behind the minus sign of its power of ten.
var power = regexp.MustCompile(`^\S* ?[\d.]+e-\d+$`)

// HTML writes the table as a fragment with inline style, so that it looks the same in a page, a notebook and a mail. Of
// a certified table it is [Table.GridHTML].
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
	if note := t.typeset(); note != "" {
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
			style += ";white-space:nowrap" // its lines are broken where they should be
		case utf8.RuneCountInString(cell.Text) > longText:
			style += ";min-width:16em" // in a wide table it would be a word a line
		}
		fmt.Fprintf(out, `<td style="%s;text-align:%s">%s</td>`, style, t.align(i, 1),
			cell.marked(lines, "<b>", "</b>", "<u>", "</u>"))
	}
	out.WriteString("</tr>\n")
}
