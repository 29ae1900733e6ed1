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
	"slices"
	"strconv"
	"strings"
)

const (
	npyMagic     = "\x93NUMPY"
	maxNpyHeader = 1 << 16
	maxNpyRank   = 64 // NumPy 2 has the same limit
)

// Array is a dense array in row-major order.
type Array struct {
	Shape  []int
	Values []float64
}

// readNpyColumns reads a one- or two-dimensional npy file as columns named 0, 1, 2, …, which never hold words.
func readNpyColumns(file *os.File, names []string, _ bool) (*Frame, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, WithoutPath(err)
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

// ReadNpy reads an array in NumPy's npy format, versions 1 to 3, of booleans, integers or floats of either byte order;
// size limits what is read from the source. Arrays in column-major order are returned in row-major order.
func ReadNpy(source io.Reader, size int64) (*Array, error) {
	kind, shape, data, err := readNpy(source, size)
	if err != nil {
		return nil, err
	}
	array := &Array{Shape: shape, Values: make([]float64, len(data)/kind.Size())}
	kind.float64s(array.Values, data)
	return array, nil
}

// readNpy reads an array and returns its elements as in a tensor: little-endian and in row-major order.
func readNpy(source io.Reader, size int64) (kind Type, shape []int, data []byte, err error) {
	header, headerBytes, err := npyHeader(source)
	if err != nil {
		return "", nil, nil, err
	}
	kind, bigEndian, err := npyElement(header.descr)
	if err != nil {
		return "", nil, nil, err
	}
	needs, ok := shapeBytes(header.shape, kind.Size())
	if !ok || needs > math.MaxInt64-headerBytes {
		return "", nil, nil, fmt.Errorf("the header claims shape %s, the file has %d bytes", shapeText(header.shape),
			size)
	}
	if want := headerBytes + needs; want != size {
		return "", nil, nil, fmt.Errorf("shape %s of %q needs %d bytes, the file has %d", shapeText(header.shape),
			header.descr, want, size)
	}
	data = make([]byte, needs)
	if _, err := io.ReadFull(source, data); err != nil {
		return "", nil, nil, fmt.Errorf("the data end early: %w", err)
	}
	if bigEndian {
		for element := range slices.Chunk(data, kind.Size()) {
			slices.Reverse(element)
		}
	}
	if header.columnMajor {
		data = rowMajor(data, header.shape, kind.Size())
	}
	return kind, header.shape, data, nil
}

// npyFacts is the content of an npy header.
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
	descr, order, shape := npyDescr.FindStringSubmatch(text), npyOrder.FindStringSubmatch(text),
		npyShape.FindStringSubmatch(text)
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

// npyTypes maps the supported types of NumPy, without the byte order.
var npyTypes = map[string]Type{
	"b1": BOOL, "i1": I8, "u1": U8, "i2": I16, "u2": U16, "i4": I32, "u4": U32, "i8": I64, "u8": U64, "f2": F16,
	"f4": F32, "f8": F64,
}

func npyElement(descr string) (kind Type, bigEndian bool, err error) {
	if strings.HasSuffix(descr, "O") {
		return "", false, errors.New("it holds Python objects, a pickle, which can run any program when it is read; " +
			"save it as a plain array")
	}
	if len(descr) == 3 {
		kind = npyTypes[descr[1:]]
	}
	if kind == "" || !strings.ContainsRune("<>|=", rune(descr[0])) {
		return "", false, fmt.Errorf("elements of type %.20q are not read; booleans, integers, float16, float32 and "+
			"float64 are", descr)
	}
	return kind, descr[0] == '>', nil
}

// rowMajor reorders elements of size bytes of a column-major array.
func rowMajor(data []byte, shape []int, size int) []byte {
	reordered := make([]byte, len(data))
	index := make([]int, len(shape))
	for element := range slices.Chunk(data, size) {
		to := 0
		for axis, n := range shape {
			to = to*n + index[axis]
		}
		copy(reordered[to*size:], element)
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
	header := npyHeaderText(F64, array.Shape)
	return WriteFile(path, func(target io.Writer) error {
		if _, err := target.Write(header); err != nil {
			return err
		}
		return TensorOf(path, array.Shape, array.Values).write(target)
	})
}

// npyHeaderText writes a header as NumPy does, padded so that the data are aligned.
func npyHeaderText(kind Type, shape []int) []byte {
	sizes := make([]string, len(shape))
	for i, n := range shape {
		sizes[i] = strconv.Itoa(n)
	}
	list := strings.Join(sizes, ", ")
	if len(sizes) == 1 {
		list += ","
	}
	order := "<"
	if kind.Size() == 1 {
		order = "|"
	}
	for word, named := range npyTypes {
		if named == kind {
			order += word
		}
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", order, list)
	header += strings.Repeat(" ", (64-(10+len(header)+1)%64)%64) + "\n"
	return append(binary.LittleEndian.AppendUint16([]byte(npyMagic+"\x01\x00"), uint16(len(header))), header...)
}
