package concealment

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// share counts the pictures that have some property.
type share struct{ right, of int }

func (s *share) add(right bool) {
	s.of++
	if right {
		s.right++
	}
}

// share returns the fraction of pictures that have the property. It is NaN if there are no pictures.
func (s share) share() float64 {
	if s.of == 0 {
		return math.NaN()
	}
	return float64(s.right) / float64(s.of)
}

// cell formats the share with Wilson's 95 % interval.
func (s share) cell() report.Cell {
	w := stat.Wilson(s.right, s.of)
	return report.Interval("%.3f", w.Value, w.Lo, w.Hi)
}

// yes formats a Boolean as "yes" or "no".
func yes(is bool) report.Cell {
	if is {
		return report.Word("yes")
	}
	return report.Word("no")
}

// formatted formats a number, or a dash for NaN.
func formatted(format string, value float64) report.Cell {
	if math.IsNaN(value) {
		return report.Word("–")
	}
	return report.Number(fmt.Sprintf(format, value), value)
}

// differing formats a difference with its sign and its interval.
func differing(e certify.Estimate) report.Cell {
	return report.Interval("%+.2f", e.Value, e.Lo, e.Hi)
}

// part formats a fraction with its interval.
func part(e certify.Estimate) report.Cell {
	return report.Interval("%.2f", e.Value, e.Lo, e.Hi)
}

// obeyed reports whether the picture shows both the object and the style that its prompt asks for.
func (v View) obeyed() bool {
	object, style := v.Obeys()
	return object && style
}

// shows counts the pictures whose prompt asks for the concept, and how many of them show it.
func (v Views) shows(e concept.Erasure) (s share) {
	for _, view := range v {
		if asks(view.Prompt, e.Concept) {
			s.add(e.Concept.Covers(view.Labels))
		}
	}
	return s
}

// retained counts the pictures whose prompt does not ask for the concept, and how many of them obey the prompt.
func (v Views) retained(e concept.Erasure) (s share) {
	for _, view := range v {
		if !asks(view.Prompt, e.Concept) {
			s.add(view.obeyed())
		}
	}
	return s
}
