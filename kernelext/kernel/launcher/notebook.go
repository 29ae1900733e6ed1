package launcher

import (
	"fmt"
	"html/template"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// A bundle is one output in several MIME types.
type bundle map[string]any

// A failure ends a cell with one box that explains why.
type failure struct {
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`

	Quiet bool `json:"-"` // show a plain line, because nothing went wrong
}

// fail returns a failure whose box is one formatted text.
func fail(name, format string, args ...any) *failure {
	text := fmt.Sprintf(format, args...)
	return &failure{Name: name, Value: text, Traceback: strings.Split(red(name)+": "+text, "\n")}
}

// red colours an error for terminals and notebooks.
func red(text string) string { return "\x1b[31m" + text + "\x1b[0m" }

// An answer is the result of a verb that the launcher answers itself: an output, a failure, or a line for gonb.
type answer struct {
	show    bundle
	failure *failure
	line    string
}

// A notebook is the state for the verbs that the launcher answers itself.
type notebook struct {
	facts   []fact
	preset  string // value of $UNLEARNLAB_PRESET in the cells
	warning string // shown before the output of the first cell
	start   time.Time
}

// A fact is one line of the status.
type fact struct{ Name, Value string }

const presetVariable = "UNLEARNLAB_PRESET"

func newNotebook() *notebook {
	return &notebook{preset: os.Getenv(presetVariable), start: time.Now()}
}

// tables holds templates for answers that a notebook shows as HTML.
var tables = template.Must(template.New("").Funcs(template.FuncMap{
	"short": shortType, "kilo": func(bytes int64) float64 { return float64(bytes) / 1e3 }}).Parse(`
{{- define "help" -}}
<table><thead><tr><th style="text-align:left">magic</th><th style="text-align:left">what it does</th></tr></thead>
<tbody>
{{- range .Verbs}}<tr><td style="text-align:left"><code>{{$.Magic}} {{.Usage}}</code></td>
<td style="text-align:left">{{.Summary}}</td></tr>{{end -}}
</tbody></table><p>{{.More}}</p>
{{- end}}

{{- define "status" -}}
<table><tbody>
{{- range .}}<tr><td style="text-align:left">{{.Name}}</td>
<td style="text-align:left"><code>{{.Value}}</code></td></tr>{{end -}}
</tbody></table>
{{- end}}

{{- define "kept" -}}
<table><thead><tr><th style="text-align:left">name</th><th style="text-align:left">type</th><th>kB</th>
<th style="text-align:left">made</th><th>took</th><th style="text-align:left">code</th></tr></thead><tbody>
{{- range .}}<tr><td style="text-align:left">{{.Name}}</td><td style="text-align:left"><code>{{short .Type}}</code></td>
<td>{{printf "%.1f" (kilo .Bytes)}}</td><td style="text-align:left">{{.Made.Format "2006-01-02 15:04:05"}}</td>
<td>{{.Took.Round 1000000}}</td><td style="text-align:left"><code>{{printf "%.8s" .Maker}}</code></td></tr>{{end -}}
</tbody></table>
{{- end}}`))

// table executes one of the templates. Templates and data are defined in this package, so an error is a bug.
func table(name string, data any) string {
	var out strings.Builder
	if err := tables.ExecuteTemplate(&out, name, data); err != nil {
		panic(err)
	}
	return out.String()
}

func (n *notebook) help([]string) answer {
	type line struct{ Usage, Summary string }
	var text strings.Builder
	var lines []line
	for _, v := range verbs() {
		fmt.Fprintf(&text, "%s %-45s %s\n", magicWord, v.usage, v.summary)
		lines = append(lines, line{v.usage, v.summary})
	}
	const more = "Tab completes verbs and arguments, Shift+Tab shows a verb's help. A verb's line may also be placed " +
		"below %%, among Go code."
	return answer{show: bundle{"text/html": table("help", map[string]any{"Magic": magicWord, "Verbs": lines,
		"More": more}), "text/plain": text.String() + more}}
}

func (n *notebook) status([]string) answer {
	facts := append(slices.Clone(n.facts),
		fact{"preset", n.presetName()},
		fact{"processors", strconv.Itoa(runtime.NumCPU())},
		fact{"up for", time.Since(n.start).Round(time.Second).String()})
	var text strings.Builder
	for _, f := range facts {
		fmt.Fprintf(&text, "%-12s %s\n", f.Name, f.Value)
	}
	return answer{show: bundle{"text/html": table("status", facts),
		"text/plain": strings.TrimSuffix(text.String(), "\n")}}
}

func (n *notebook) presetName() string {
	if n.preset == "" {
		return preset.Default + " (the default; results are read at the richest preset that has them)"
	}
	return n.preset
}

func (n *notebook) setPreset(args []string) answer {
	switch {
	case len(args) == 0:
		return answer{show: bundle{"text/plain": "preset " + n.presetName()}}
	case len(args) > 1 || !slices.Contains(preset.Names, args[0]):
		return answer{failure: fail("usage", "there is no preset %q; the presets are %s", strings.Join(args, " "),
			strings.Join(preset.Names, ", "))}
	}
	n.preset = args[0]
	return answer{line: "%env " + presetVariable + " " + args[0]}
}

// notice updates the preset if a gonb line sets the variable directly.
func (n *notebook) notice(line string) {
	fields := strings.Fields(strings.Replace(stripGonb(line), "=", " ", 1))
	if len(fields) == 3 && fields[0] == "%env" && fields[1] == presetVariable {
		n.preset = strings.Trim(fields[2], `"`)
	}
}
