package safefile

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// openFile opens a regular file of at most limit bytes.
func openFile(path string, limit int64) (file *os.File, size int64, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, 0, WithoutPath(err)
	case info.IsDir():
		return nil, 0, errors.New("it is a folder, a file was expected")
	case !info.Mode().IsRegular():
		return nil, 0, errors.New("it is not a regular file")
	case info.Size() == 0:
		return nil, 0, errors.New("the file is empty")
	case info.Size() > limit:
		return nil, 0, fmt.Errorf("%s, at most %s are read", byteCount(info.Size()), byteCount(limit))
	}
	file, err = os.Open(path)
	return file, info.Size(), WithoutPath(err)
}

// mapFile maps a file into memory without reading it.
func mapFile(path string) (mapping, error) {
	file, size, err := openFile(path, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := openMapping(file, size)
	if err != nil {
		return nil, fmt.Errorf("map %s into memory: %w", byteCount(size), err)
	}
	return content, nil
}

// parseFile calls parse with a file's content.
func parseFile[T any](path string, limit int64, parse func([]byte) (T, error)) (result T, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("read %s: %w", path, err)
		}
	}()
	file, size, err := openFile(path, limit)
	if err != nil {
		return result, err
	}
	defer file.Close()
	content := make([]byte, size)
	if _, err := io.ReadFull(file, content); err != nil {
		return result, WithoutPath(err)
	}
	return parse(content)
}

// byteCount formats a number of bytes with two digits of its largest binary unit.
func byteCount[T int | int64 | uint64](n T) string {
	if n == 1 {
		return "1 byte"
	}
	if n < 10<<10 {
		return fmt.Sprintf("%d bytes", n)
	}
	exponent := min(int(math.Log2(float64(n))/10), 6)
	return fmt.Sprintf("%.1f %ciB", float64(n)/math.Pow(1024, float64(exponent)), "KMGTPE"[exponent-1])
}

// shapeBytes multiplies the sizes of a shape and the bytes of one element; it returns false if the product overflows.
func shapeBytes(shape []int, size int) (int64, bool) {
	product := int64(size)
	for _, n := range shape {
		if n < 0 || n > 0 && product > math.MaxInt64/int64(n) {
			return 0, false
		}
		product *= int64(n)
	}
	return product, true
}
