package kernelext

import (
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Show shows each value in a suitable form: values accepted by [Figure] as pictures, sounds with [Sounds], and tables,
// columns, structs and slices of structs with [Table]. Other values are shown as text, which is truncated if it is
// long.
func Show(values ...any) {
	for _, v := range values {
		show(v, Text)
	}
}

// ShowLast shows the values of a cell's last expression as [Show] does, and is called by the kernel. Text goes to
// standard output, so that it follows what the cell has printed. Nil is not shown, because it usually means that a call
// returned no error.
func ShowLast(values ...any) {
	for _, v := range values {
		if v != nil {
			show(v, func(text string) { fmt.Fprintln(console(), text) })
		}
	}
}

// show shows a value as a picture, a sound or a table, or passes its text to text.
func show(v any, text func(string)) {
	if p, ok := pictureOf(v); ok {
		Figure(p)
		return
	}
	switch v := v.(type) {
	case Sound:
		Sounds(v)
	case []Sound:
		Sounds(v...)
	case *safefile.Audio:
		Sounds(soundsOf(v)...)
	case error:
		text(v.Error())
	case Tabular, *report.Table, report.Table:
		Table(v)
	case fmt.Stringer:
		text(v.String())
	default:
		switch {
		case hasRows(v):
			Table(v)
		case reflect.ValueOf(v).Kind() == reflect.Func:
			text(fmt.Sprintf("%T", v)) // an address is meaningless
		default:
			text(truncate(fmt.Sprint(v)))
		}
	}
}

// mostText is the maximum length, in bytes, of the text shown for a value.
const mostText = 10_000

// truncate truncates a long text and appends a note.
func truncate(text string) string {
	if len(text) <= mostText {
		return text
	}
	cut := mostText
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s\n… of %s bytes; kx.Text shows all", text[:cut], thousands(len(text)))
}

// hasRows reports whether a value is better shown as a table than as fmt prints it.
func hasRows(v any) bool {
	t := reflect.TypeOf(v)
	if t == nil || reflect.ValueOf(v).Kind() == reflect.Pointer && reflect.ValueOf(v).IsNil() {
		return false
	}
	t = structOf(t)
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = structOf(t.Elem())
	}
	return t.Kind() == reflect.Struct && !describesItself(t)
}

// Markdown shows text rendered by the notebook, including formulas between dollar signs.
func Markdown(text string) { display{markdown: text, text: text}.show() }

// Text shows text unchanged, in order with figures and tables. The output of fmt may be out of order, because figures
// and tables do not pass through standard output.
func Text(text string) { display{text: text}.show() }

// Printf formats its arguments and shows them like [Text].
func Printf(format string, args ...any) { Text(fmt.Sprintf(format, args...)) }

// InNotebook reports whether the program is running as a cell.
func InNotebook() bool { return gonbui.IsNotebook }
