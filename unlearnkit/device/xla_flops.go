//go:build cgo && linux && amd64 && !noxla

package device

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gomlx/go-xla/stablehlo"
)

// flops returns the number of operations in the matrix products and convolutions on which the outputs of main depend. A
// multiplication and an addition are two operations. Gradients that nobody reads are not counted: XLA removes them.
func flops(main *stablehlo.Function) float64 {
	needed := map[string]bool{} // names of values
	total := 0.
	for i := len(main.Statements) - 1; i >= 0; i-- {
		s := main.Statements[i]
		if len(s.Outputs) > 0 && !anyNeeded(s.Outputs, needed) {
			continue
		}
		total += flopsOf(s)
		need(s, needed)
	}
	return total
}

func anyNeeded(values []*stablehlo.Value, needed map[string]bool) bool {
	for _, v := range values {
		if needed[v.String()] {
			return true
		}
	}
	return false
}

// need marks the values that a statement and the functions inside it read.
func need(s *stablehlo.Statement, needed map[string]bool) {
	for _, v := range s.Inputs {
		needed[v.String()] = true
	}
	for _, inner := range s.FunctionParameters {
		for _, s := range inner.Statements {
			need(s, needed)
		}
	}
}

// flopsOf returns the operations of one product or convolution, and 0 for other statements.
func flopsOf(s *stablehlo.Statement) float64 {
	attribute := func(name string) string { return fmt.Sprint(s.Attributes[name]) }
	switch s.OpType.String() {
	case "DotGeneral":
		terms := 1.
		for _, axis := range integers(contracting.FindString(attribute("dot_dimension_numbers"))) {
			terms *= float64(s.Inputs[0].Shape().Dimensions[axis])
		}
		return 2 * float64(s.Outputs[0].Shape().Size()) * terms
	case "Convolution":
		// Each output is a sum over the kernel, but for the zeros between the elements of a dilated input.
		kernel := s.Inputs[1].Shape()
		terms := float64(kernel.Size()) / float64(kernel.Dimensions[outputChannels(attribute("dimension_numbers"))])
		for _, gap := range integers(strings.TrimPrefix(attribute("lhs_dilation"), "array<i64")) {
			terms /= float64(gap)
		}
		return 2 * float64(s.Outputs[0].Shape().Size()) * terms
	}
	return 0
}

var (
	contracting = regexp.MustCompile(`lhs_contracting_dimensions = \[[^\]]*\]`)
	number      = regexp.MustCompile(`\d+`)
)

func integers(text string) (all []int) {
	for _, digits := range number.FindAllString(text, -1) {
		n, _ := strconv.Atoi(digits)
		all = append(all, n)
	}
	return all
}

// outputChannels returns the kernel's axis "o" in the dimension numbers of a convolution, such as
// "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>".
func outputChannels(numbers string) int {
	kernel := strings.SplitN(numbers, "[", 4)[2]
	return strings.Count(kernel[:strings.Index(kernel, "o")], ",")
}
