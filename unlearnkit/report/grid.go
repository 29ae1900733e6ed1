package report

import (
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// CSS styles of a certified table. Backgrounds are opaque where they must hide what scrolls below them. They have the
// page's colour: JupyterLab's, or the browser's in light or dark mode. The second declaration takes effect if the
// browser supports variables.
const (
	gridBox = "max-height:34em;overflow:auto;margin:12px 0;border-bottom:1px solid rgba(128,128,128,.5)"
	gridOf  = "border-collapse:separate;border-spacing:0;margin:0;font:13px/1.4 system-ui,sans-serif"
	opaque  = "background:canvas;background:var(--jp-layout-color0,canvas)"
	edge    = "border-bottom:1px solid rgba(128,128,128,.35)"
	below   = "font:12px/1.5 system-ui,sans-serif;max-width:60em;margin:6px 0"
	headRow = 26 // height of a header line in pixels
)

// tints holds the background colour of each standing. They are transparent enough for text in light and dark themes.
// The signs show the same information.
var tints = [...]string{Unjudged: "", Matched: "rgba(0,158,115,.28)", Above: "rgba(230,159,0,.34)",
	Below: "rgba(0,114,178,.34)", Open: "rgba(128,128,128,.14)"}

// GridHTML writes a certified table as an HTML fragment: a grid of verdicts, the legend, and a collapsed table of
// numbers. The header and the first column remain visible during scrolling. All styles are inline, so that the table
// looks the same in a page, a notebook and an e-mail.
func (t *Table) GridHTML(w io.Writer) error {
	var out strings.Builder
	t.gridTable(&out, t.Title, Cell.signCell)
	fmt.Fprintf(&out, "<p style=\"%s\">%s</p>\n", below, t.legendHTML())
	out.WriteString("<details><summary style=\"cursor:pointer;font:13px/1.5 system-ui,sans-serif\">" +
		"Numbers, with their intervals</summary>\n")
	scales := map[*Judged]scale{}
	for _, at := range t.judgedColumns() {
		s := t.scaleOf(at)
		for _, row := range t.Rows {
			if judged := row.Cells[at].Judged; judged != nil {
				scales[judged] = s
			}
		}
	}
	t.gridTable(&out, t.Title+": numbers", func(c Cell) string { return c.numberCell(scales[c.Judged]) })
	fmt.Fprintf(&out, "<p style=\"%s\">%s</p>\n</details>\n", below, html.EscapeString(pictureLegend))
	if note := t.typesetNote(); note != "" {
		fmt.Fprintf(&out, "<p style=\"%s\">%s</p>\n", below, strings.ReplaceAll(html.EscapeString(note), "\n", "<br/>"))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// pictureLegend explains the small pictures of intervals.
const pictureLegend = "Dot: the value; line: its 95 % interval; orange tick: the target. Each column has one scale."

// legendHTML returns the legend of the signs as HTML.
func (t *Table) legendHTML() string {
	var parts []string
	for _, e := range t.legend() {
		parts = append(parts, fmt.Sprintf(`<span style="padding:1px 6px;%s">%s</span> %s`, tinted(e.standing), e.sign,
			html.EscapeString(e.meaning)))
	}
	return strings.Join(parts, " &#160; ")
}

func tinted(s Standing) string {
	if tints[s] == "" {
		return ""
	}
	return "background:" + tints[s] + ";"
}

// gridTable writes a table in a scrollable box. inside returns the HTML content of a certified cell.
func (t *Table) gridTable(out *strings.Builder, title string, inside func(Cell) string) {
	fmt.Fprintf(out, "<div role=\"region\" tabindex=\"0\" aria-label=\"%s\" style=\"%s\">\n<table style=\"%s\">\n",
		html.EscapeString(title), gridBox, gridOf)
	if t.Title != "" {
		fmt.Fprintf(out, "<caption style=\"text-align:left;font-weight:600;padding:4px 8px\">%s</caption>\n",
			html.EscapeString(title))
	}
	out.WriteString("<thead>\n")
	header := t.header()
	for level, spans := range header {
		corner := ""
		if level == len(header)-1 {
			corner = strings.Join(t.Heads(), " / ")
		}
		head := fmt.Sprintf("position:sticky;top:%dpx;height:%dpx;padding:0 3px;font-weight:600;"+
			"white-space:nowrap;border-bottom:1px solid rgba(128,128,128,.8);%s", level*headRow, headRow-1, opaque)
		fmt.Fprintf(out, `<tr><th scope="col" style="%s;left:0;z-index:2;padding-left:8px;text-align:left">%s</th>`,
			head, html.EscapeString(corner))
		at := 0
		for _, s := range spans {
			align := "center"
			if s.width == 1 && t.Columns[at].Words {
				align = "left"
			}
			fmt.Fprintf(out, `<th scope="col" colspan="%d" style="%s;z-index:1;text-align:%s">%s</th>`, s.width, head,
				align, html.EscapeString(s.text))
			at += s.width
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</thead>\n<tbody>\n")
	for _, row := range t.Rows {
		t.gridRow(out, row, inside)
	}
	out.WriteString("</tbody>\n</table>\n</div>\n")
}

func (t *Table) gridRow(out *strings.Builder, row Row, inside func(Cell) string) {
	fmt.Fprintf(out, `<tr><th scope="row" style="position:sticky;left:0;z-index:1;padding:1px 8px;text-align:left;`+
		`font-weight:400;white-space:nowrap;%s;%s">%s</th>`, edge, opaque,
		html.EscapeString(strings.Join(Levels(row.Name, row.Levels), " / ")))
	for at, cell := range row.Cells {
		if cell.Judged != nil {
			out.WriteString(inside(cell))
			continue
		}
		align := "center"
		if t.Columns[at].Words {
			align = "left"
		}
		text := strings.ReplaceAll(html.EscapeString(cell.Text), "\n", "<br/>")
		fmt.Fprintf(out, `<td style="padding:1px 6px;text-align:%s;%s">%s</td>`, align, edge,
			cell.decorate(text, "<b>", "</b>", "<u>", "</u>"))
	}
	out.WriteString("</tr>\n")
}

// signCell returns the sign of a certified cell as HTML, with the numbers as a tooltip.
func (c Cell) signCell() string {
	says := c.line()
	if !math.IsNaN(c.Judged.Target) {
		says += fmt.Sprintf(", target %.4g", c.Judged.Target)
	}
	return fmt.Sprintf(`<td title="%s" style="padding:1px 6px;text-align:center;%s%s">%s</td>`, html.EscapeString(says),
		tinted(c.Judged.Standing), edge, c.sign())
}

// numberCell returns a certified cell as HTML with its number, its interval and a picture of both.
func (c Cell) numberCell(s scale) string {
	lines := c.figures()
	for i := range lines {
		lines[i] = html.EscapeString(lines[i])
	}
	lines[0] = "<b>" + lines[0] + "</b>"
	return fmt.Sprintf(`<td style="padding:2px 6px;text-align:center;white-space:nowrap;%s%s">%s<br/>%s</td>`,
		tinted(c.Judged.Standing), edge, strings.Join(lines, "<br/>"), s.picture(c))
}

// Size of an interval's picture in pixels.
const (
	pictureWidth, pictureHeight = 96, 12
	pictureMargin               = 4
)

// picture returns an inline image of a value, its interval and its target, in colours that are visible on light and
// dark backgrounds. The numbers are printed above the image.
func (s scale) picture(c Cell) string {
	const middle = pictureHeight / 2
	place := func(x float64) int { return pictureMargin + s.at(x, pictureWidth-2*pictureMargin+1) }
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d">`, pictureWidth, pictureHeight)
	if !math.IsNaN(c.Judged.Target) {
		fmt.Fprintf(&svg, `<path d="M%d 0v%d" stroke="#d55e00" stroke-width="2"/>`, place(c.Judged.Target),
			pictureHeight)
	}
	if !math.IsNaN(c.Judged.Lo) && !math.IsNaN(c.Judged.Hi) {
		fmt.Fprintf(&svg, `<path d="M%d %dH%d" stroke="#808080" stroke-width="2"/>`, place(c.Judged.Lo), middle,
			place(c.Judged.Hi))
	}
	if !math.IsNaN(c.Value) {
		fmt.Fprintf(&svg, `<circle cx="%d" cy="%d" r="3" fill="#808080"/>`, place(c.Value), middle)
	}
	svg.WriteString("</svg>")
	return fmt.Sprintf(`<img alt="" width="%d" height="%d" src="data:image/svg+xml;base64,%s"/>`, pictureWidth,
		pictureHeight, base64.StdEncoding.EncodeToString([]byte(svg.String())))
}
