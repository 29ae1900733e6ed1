package launcher

import (
	"fmt"
	"html"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A bundle is one thing to show, by MIME type.
type bundle map[string]any

// A failure ends a cell with one box that says why.
type failure struct {
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

// fail makes a failure of one readable paragraph.
func fail(name, format string, args ...any) *failure {
	text := fmt.Sprintf(format, args...)
	return &failure{Name: name, Value: text, Traceback: strings.Split(red(name)+": "+text, "\n")}
}

// red is how a terminal and a notebook show an error.
func red(text string) string { return "\x1b[31m" + text + "\x1b[0m" }

// An answer is what a verb does without running a program: show something, refuse, or have gonb run a line of its own.
type answer struct {
	show    bundle
	failure *failure
	line    string
}

// A notebook is what the verbs that the launcher answers know.
type notebook struct {
	facts   []fact
	preset  string // of $UNLEARNLAB_PRESET in the cells
	warning string // for the first cell
	start   time.Time
}

// A fact is a line of the status.
type fact struct{ name, value string }

const presetVariable = "UNLEARNLAB_PRESET"

func newNotebook() *notebook {
	return &notebook{preset: os.Getenv(presetVariable), start: time.Now()}
}

func (n *notebook) help([]string) answer {
	var text, table strings.Builder
	table.WriteString(`<table><thead><tr><th style="text-align:left">magic</th><th style="text-align:left">what it does</th></tr></thead><tbody>`)
	for _, v := range verbs() {
		fmt.Fprintf(&text, "%s %-45s %s\n", magicWord, v.usage, v.summary)
		fmt.Fprintf(&table, `<tr><td style="text-align:left"><code>%s %s</code></td><td style="text-align:left">%s</td></tr>`,
			magicWord, html.EscapeString(v.usage), html.EscapeString(v.summary))
	}
	table.WriteString(`</tbody></table>`)
	const more = "Tab completes verbs and arguments, Shift+Tab shows a verb's help. A verb's line may stand below " +
		"%%, among Go."
	return answer{show: bundle{"text/html": table.String() + "<p>" + html.EscapeString(more) + "</p>",
		"text/plain": text.String() + more}}
}

func (n *notebook) status([]string) answer {
	facts := append(slices.Clone(n.facts),
		fact{"preset", n.presetName()},
		fact{"processors", fmt.Sprintf("%d", runtime.NumCPU())},
		fact{"up for", time.Since(n.start).Round(time.Second).String()})
	var text, table strings.Builder
	table.WriteString("<table><tbody>")
	for _, f := range facts {
		fmt.Fprintf(&text, "%-12s %s\n", f.name, f.value)
		fmt.Fprintf(&table, `<tr><td style="text-align:left">%s</td><td style="text-align:left"><code>%s</code></td></tr>`,
			html.EscapeString(f.name), html.EscapeString(f.value))
	}
	table.WriteString("</tbody></table>")
	return answer{show: bundle{"text/html": table.String(), "text/plain": strings.TrimSuffix(text.String(), "\n")}}
}

func (n *notebook) presetName() string {
	if n.preset == "" {
		return defaultPreset + " (the default)"
	}
	return n.preset
}

func (n *notebook) setPreset(args []string) answer {
	switch {
	case len(args) == 0:
		return answer{show: bundle{"text/plain": "preset " + n.presetName()}}
	case len(args) > 1 || !slices.Contains(presets, args[0]):
		return answer{failure: fail("usage", "there is no preset %q; the presets are %s", strings.Join(args, " "),
			strings.Join(presets, ", "))}
	}
	n.preset = args[0]
	return answer{line: "%env " + presetVariable + " " + args[0]}
}

// notice learns from a line that sets the preset behind our back.
func (n *notebook) notice(line string) {
	fields := strings.Fields(strings.Replace(bare(line), "=", " ", 1))
	if len(fields) == 3 && fields[0] == "%env" && fields[1] == presetVariable {
		n.preset = strings.Trim(fields[2], `"`)
	}
}
