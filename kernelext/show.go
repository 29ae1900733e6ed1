package kernelext

import (
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Show shows each value in the form that suits it. Values that [Figure] accepts are shown as pictures, sounds as
// [Sounds], and tables, columns, structs and slices of structs as [Table]. Any other value is shown as text, which is
// cut if it is long.
func Show(values ...any) {
	for _, v := range values {
		if p, ok := pictureOf(v); ok {
			Figure(p)
			continue
		}
		switch v := v.(type) {
		case Sound:
			Sounds(v)
		case []Sound:
			Sounds(v...)
		case *safefile.Audio:
			Sounds(soundsOf(v)...)
		case error:
			Text(v.Error())
		case Tabular, *report.Table, report.Table:
			Table(v)
		case fmt.Stringer:
			Text(v.String())
		default:
			if hasRows(v) {
				Table(v)
			} else {
				Text(truncate(fmt.Sprint(v)))
			}
		}
	}
}

// mostText bounds the text shown for one value, in bytes.
const mostText = 10_000

// truncate cuts a long text and appends a note.
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

// hasRows reports whether a value is better read as a table than as fmt prints it.
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

// Markdown shows text that the notebook renders, formulas between dollar signs included.
func Markdown(text string) { display{markdown: text, text: text}.show() }

// Text shows text unchanged. It appears in order with figures and tables. The output of fmt may not, because figures
// and tables do not pass through standard output.
func Text(text string) { display{text: text}.show() }

// Printf formats its arguments and shows them like [Text].
func Printf(format string, args ...any) { Text(fmt.Sprintf(format, args...)) }

// InNotebook reports whether the program runs as a cell.
func InNotebook() bool { return gonbui.IsNotebook }
