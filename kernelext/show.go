package kernelext

import (
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Show shows each value in the form that suits it: what [Figure] takes as a picture, sounds as [Sounds], tables,
// columns, structs and slices of structs as [Table], and anything else as text, of which the beginning.
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
				Text(beginning(fmt.Sprint(v)))
			}
		}
	}
}

// mostText is how much text of one value is shown, in bytes.
const mostText = 10_000

// beginning is a text, cut with a word where it is long.
func beginning(text string) string {
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

// Text shows text as it is. Unlike what fmt prints it keeps its place between figures and tables: those reach the
// notebook by another way than the standard output does.
func Text(text string) { display{text: text}.show() }

// Printf is [Text] with a format.
func Printf(format string, args ...any) { Text(fmt.Sprintf(format, args...)) }

// InNotebook reports whether the program runs as a cell.
func InNotebook() bool { return gonbui.IsNotebook }
