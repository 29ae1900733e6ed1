package report

import (
	"fmt"
	"io"
	"strings"
)

var latexSpecial = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "~",
	`\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", `\textless{}`, ">", `\textgreater{}`, "×", `$\times$`, "ψ", `$\psi$`, "→", `$\rightarrow$`, "≤", `$\leq$`, "≥",
	`$\geq$`, "−", `$-$`, "↑", `$\uparrow$`, "↓", `$\downarrow$`,
	"α", `$\alpha$`, "θ", `$\theta$`, "π", `$\pi$`, "₀", `$_0$`,
)

// LaTeXText escapes a text for LaTeX. Letters outside ASCII that LaTeX's fonts lack become formulas.
func LaTeXText(text string) string { return latexSpecial.Replace(text) }

// LaTeX writes a table environment in the style of the booktabs package: without vertical lines, with \cmidrule under
// spanning headers, the best value bold and the second-best underlined.
func (t *Table) LaTeX(w io.Writer) error {
	corner, labels := t.labels()
	var out strings.Builder
	out.WriteString("\\begin{table}\n\\centering\n")
	if t.Title != "" {
		fmt.Fprintf(&out, "\\caption{%s}\n", latexSpecial.Replace(t.Title))
	}
	format := strings.Repeat("l", len(corner))
	for _, column := range t.Columns {
		if column.Words {
			format += "l"
		} else {
			format += "r"
		}
	}
	fmt.Fprintf(&out, "\\begin{tabular}{%s}\n\\toprule\n", format)
	t.latexHeader(&out, corner)
	out.WriteString("\\midrule\n")
	for i, row := range t.Rows {
		line := make([]string, 0, len(format))
		for _, label := range labels[i] {
			line = append(line, latexSpecial.Replace(label))
		}
		for _, cell := range row.Cells {
			line = append(line, cell.decorate(latexSpecial.Replace(cell.line()), `\textbf{`, "}", `\underline{`, "}"))
		}
		out.WriteString(strings.Join(line, " & ") + " \\\\\n")
		if row.Reference && i+1 < len(t.Rows) && !t.Rows[i+1].Reference {
			out.WriteString("\\midrule\n")
		}
	}
	out.WriteString("\\bottomrule\n\\end{tabular}\n")
	if note := t.typesetNote(); note != "" {
		fmt.Fprintf(&out, "\\\\[2pt]{\\footnotesize %s}\n", latexSpecial.Replace(note))
	}
	out.WriteString("\\end{table}\n")
	_, err := io.WriteString(w, out.String())
	return err
}

func (t *Table) latexHeader(out *strings.Builder, corner []string) {
	header := t.header()
	for level, spans := range header {
		line := make([]string, 0, len(corner)+len(spans))
		for _, name := range corner {
			if level < len(header)-1 {
				name = ""
			}
			line = append(line, latexSpecial.Replace(name))
		}
		at, rules := len(corner)+1, ""
		for _, s := range spans {
			if s.width > 1 {
				line = append(line, fmt.Sprintf(`\multicolumn{%d}{c}{%s}`, s.width, latexSpecial.Replace(s.text)))
				rules += fmt.Sprintf(`\cmidrule(lr){%d-%d}`, at, at+s.width-1)
			} else {
				line = append(line, latexSpecial.Replace(s.text))
			}
			at += s.width
		}
		out.WriteString(strings.Join(line, " & ") + " \\\\" + rules + "\n")
	}
}
