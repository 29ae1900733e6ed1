//go:build cgo && linux && amd64 && !noxla

package device

import (
	"fmt"
	"regexp"
	"slices"
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
		return flopsOfConvolution(s)
	}
	return 0
}

// flopsOfConvolution returns the operations of a convolution on elements of its input, as XLA's HloCostAnalysis counts
// them. Products with the zeros of padding, and with those between the elements of a dilated input, do not count.
func flopsOfConvolution(s *stablehlo.Statement) float64 {
	axes := layouts.FindAllString(fmt.Sprint(s.Attributes["dimension_numbers"]), 3)
	at := func(operand int, axis string) int {
		shape := []*stablehlo.Value{s.Inputs[0], s.Inputs[1], s.Outputs[0]}[operand].Shape()
		return shape.Dimensions[slices.Index(strings.Split(strings.Trim(axes[operand], "[]"), ", "), axis)]
	}
	list := func(name string) []int {
		return integers(strings.TrimPrefix(fmt.Sprint(s.Attributes[name]), "array<i64"))
	}
	strides, inputGaps, kernelGaps := list("window_strides"), list("lhs_dilation"), list("rhs_dilation")
	literal := s.Attributes["padding"].(interface{ ToStableHLO() string }).ToStableHLO()
	padding := integers(strings.Split(literal, ">")[0]) // before and after each axis
	total := 2 * float64(at(2, "b")) * float64(at(2, "f")) * float64(at(1, "i"))
	for i := range strides {
		axis := strconv.Itoa(i)
		total *= window{at(0, axis), at(1, axis), at(2, axis), strides[i], padding[2*i], inputGaps[i], kernelGaps[i]}.pairs()
	}
	return total
}

// window describes one spatial axis of a convolution: its sizes, the stride, the padding before the input, and the
// distances between the elements of the dilated input and of the dilated kernel.
type window struct{ input, kernel, output, stride, before, inputGap, kernelGap int }

// pairs returns the number of pairs of an output and an element of the kernel that meet an element of the input.
func (w window) pairs() (n float64) {
	for output := range w.output {
		for kernel := range w.kernel {
			at := output*w.stride + kernel*w.kernelGap - w.before
			if at >= 0 && at%w.inputGap == 0 && at/w.inputGap < w.input {
				n++
			}
		}
	}
	return n
}

var (
	contracting = regexp.MustCompile(`lhs_contracting_dimensions = \[[^\]]*\]`)
	layouts     = regexp.MustCompile(`\[[^\]]*\]`) // axes of the operands in "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"
	number      = regexp.MustCompile(`-?\d+`)
)

func integers(text string) (all []int) {
	for _, digits := range number.FindAllString(text, -1) {
		n, _ := strconv.Atoi(digits)
		all = append(all, n)
	}
	return all
}
