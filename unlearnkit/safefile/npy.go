package safefile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
)

const (
	npyMagic     = "\x93NUMPY"
	maxNpyHeader = 1 << 16
)

// Array is a dense array in row-major order.
type Array struct {
	Shape  []int
	Values []float64
}

// readNpyColumns reads a one- or two-dimensional npy file as columns named 0, 1, 2, …
func readNpyColumns(file *os.File, names []string) (*Frame, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, withoutPath(err)
	}
	array, err := ReadNpy(bufio.NewReader(file), info.Size())
	if err != nil {
		return nil, err
	}
	rows, width := 0, 1
	switch len(array.Shape) {
	case 1:
		rows = array.Shape[0]
	case 2:
		rows, width = array.Shape[0], array.Shape[1]
	default:
		return nil, fmt.Errorf("an array of %d dimensions has no columns", len(array.Shape))
	}
	if rows == 0 || width == 0 {
		return nil, errors.New("it has no rows")
	}
	has := make([]string, width)
	for i := range has {
		has[i] = strconv.Itoa(i)
	}
	positions, err := choose(has, names)
	if err != nil {
		return nil, err
	}
	frame := &Frame{Columns: make([]Column, len(positions))}
	for i, at := range positions {
		values := make([]float64, rows)
		for row := range values {
			values[row] = array.Values[row*width+at]
		}
		frame.Columns[i] = Column{Name: has[at], Values: values}
	}
	return frame, nil
}

// ReadNpy reads an array in NumPy's npy format, versions 1 to 3, of booleans, integers or floats of either byte order; size bounds what the source may hold. Arrays in column-major order are returned in row-major order.
func ReadNpy(source io.Reader, size int64) (*Array, error) {
	header, headerBytes, err := npyHeader(source)
	if err != nil {
		return nil, err
	}
	element, err := npyElement(header.descr)
	if err != nil {
		return nil, err
	}
	count := int64(1)
	for _, n := range header.shape {
		if n != 0 && count > size/int64(n) {
			return nil, fmt.Errorf("the header claims shape %v, the file has %d bytes", header.shape, size)
		}
		count *= int64(n)
	}
	if want := headerBytes + count*int64(element.size); want != size {
		return nil, fmt.Errorf("shape %v of %q needs %d bytes, the file has %d", header.shape, header.descr, want, size)
	}
	data := make([]byte, count*int64(element.size))
	if _, err := io.ReadFull(source, data); err != nil {
		return nil, fmt.Errorf("the data end early: %w", err)
	}
	array := &Array{Shape: header.shape, Values: make([]float64, count)}
	for i := range array.Values {
		array.Values[i] = element.read(data[i*element.size:])
	}
	if header.columnMajor {
		array.Values = rowMajor(array.Values, array.Shape)
	}
	return array, nil
}

// npyFacts is what an npy header says.
type npyFacts struct {
	descr       string
	columnMajor bool
	shape       []int
}

var (
	npyDescr = regexp.MustCompile(`'descr'\s*:\s*'([^']*)'`)
	npyOrder = regexp.MustCompile(`'fortran_order'\s*:\s*(True|False)`)
	npyShape = regexp.MustCompile(`'shape'\s*:\s*\(([^)]*)\)`)
)

func npyHeader(source io.Reader) (npyFacts, int64, error) {
	start := make([]byte, 10)
	if _, err := io.ReadFull(source, start); err != nil || string(start[:6]) != npyMagic {
		return npyFacts{}, 0, errors.New("not an npy file")
	}
	length, read := int64(binary.LittleEndian.Uint16(start[8:])), int64(10)
	if start[6] >= 2 {
		rest := make([]byte, 2)
		if _, err := io.ReadFull(source, rest); err != nil {
			return npyFacts{}, 0, errors.New("the header ends early")
		}
		length, read = int64(binary.LittleEndian.Uint32(append(start[8:10:10], rest...))), 12
	}
	if length > maxNpyHeader {
		return npyFacts{}, 0, fmt.Errorf("the header claims %d bytes, at most %d are read", length, maxNpyHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(source, text); err != nil {
		return npyFacts{}, 0, errors.New("the header ends early")
	}
	facts, err := parseNpyHeader(string(text))
	return facts, read + length, err
}

func parseNpyHeader(text string) (npyFacts, error) {
	descr, order, shape := npyDescr.FindStringSubmatch(text), npyOrder.FindStringSubmatch(text), npyShape.FindStringSubmatch(text)
	if descr == nil || order == nil || shape == nil {
		return npyFacts{}, errors.New("the header does not name the type, the order and the shape of one plain array")
	}
	facts := npyFacts{descr: descr[1], columnMajor: order[1] == "True", shape: []int{}}
	for _, word := range strings.Split(shape[1], ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		n, err := strconv.ParseUint(word, 10, 40)
		if err != nil {
			return npyFacts{}, fmt.Errorf("the header's shape (%.40s) is not a list of sizes", shape[1])
		}
		facts.shape = append(facts.shape, int(n))
	}
	return facts, nil
}

// npyType is how one element is stored.
type npyType struct {
	size int
	read func([]byte) float64
}

func npyElement(descr string) (npyType, error) {
	if len(descr) < 3 {
		return npyType{}, fmt.Errorf("elements of type %.20q are not read", descr)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if descr[0] == '>' {
		order = binary.BigEndian
	}
	elements := map[string]npyType{
		"b1": {1, func(b []byte) float64 { return float64(min(b[0], 1)) }},
		"i1": {1, func(b []byte) float64 { return float64(int8(b[0])) }},
		"u1": {1, func(b []byte) float64 { return float64(b[0]) }},
		"i2": {2, func(b []byte) float64 { return float64(int16(order.Uint16(b))) }},
		"u2": {2, func(b []byte) float64 { return float64(order.Uint16(b)) }},
		"i4": {4, func(b []byte) float64 { return float64(int32(order.Uint32(b))) }},
		"u4": {4, func(b []byte) float64 { return float64(order.Uint32(b)) }},
		"i8": {8, func(b []byte) float64 { return float64(int64(order.Uint64(b))) }},
		"u8": {8, func(b []byte) float64 { return float64(order.Uint64(b)) }},
		"f4": {4, func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }},
		"f8": {8, func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }},
	}
	element, ok := elements[descr[1:]]
	if !ok || !strings.ContainsRune("<>|=", rune(descr[0])) {
		return npyType{}, fmt.Errorf("elements of type %.20q are not read; booleans, integers, float32 and float64 are", descr)
	}
	return element, nil
}

// rowMajor reorders values of a column-major array.
func rowMajor(values []float64, shape []int) []float64 {
	reordered := make([]float64, len(values))
	index := make([]int, len(shape))
	for from := range values {
		to := 0
		for axis, n := range shape {
			to = to*n + index[axis]
		}
		reordered[to] = values[from]
		for axis := 0; axis < len(shape); axis++ {
			if index[axis]++; index[axis] < shape[axis] {
				break
			}
			index[axis] = 0
		}
	}
	return reordered
}

// WriteNpy writes an array of float64 in npy format, version 1.
func WriteNpy(path string, array *Array) error {
	sizes := make([]string, len(array.Shape))
	for i, n := range array.Shape {
		sizes[i] = strconv.Itoa(n)
	}
	shape := strings.Join(sizes, ", ")
	if len(sizes) == 1 {
		shape += ","
	}
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", shape)
	header += strings.Repeat(" ", (64-(10+len(header)+1)%64)%64) + "\n"
	return WriteFile(path, func(target io.Writer) error {
		start := binary.LittleEndian.AppendUint16([]byte(npyMagic+"\x01\x00"), uint16(len(header)))
		if _, err := target.Write(append(start, header...)); err != nil {
			return err
		}
		return binary.Write(target, binary.LittleEndian, array.Values)
	})
}
