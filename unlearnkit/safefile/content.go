package safefile

import (
	"errors"
	"fmt"
	"math"
	"os"
)

// mapFile maps a whole regular file of at most limit bytes.
func mapFile(path string, limit int64) (mapping, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, withoutPath(err)
	case info.IsDir():
		return nil, errors.New("it is a folder, a file was expected")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() == 0:
		return nil, errors.New("the file is empty")
	case info.Size() > limit:
		return nil, fmt.Errorf("%s, at most %s are read", byteCount(info.Size()), byteCount(limit))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer file.Close()
	content, err := openMapping(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("map %s into memory: %w", byteCount(info.Size()), err)
	}
	return content, nil
}

// parseFile calls parse with a file's content, which is gone when it returns.
func parseFile[T any](path string, limit int64, parse func([]byte) (T, error)) (result T, err error) {
	content, err := mapFile(path, limit)
	if err == nil {
		defer content.close() //nolint:errcheck // nothing was written
		result, err = parse(content)
	}
	if err != nil {
		return result, fmt.Errorf("read %s: %w", path, err)
	}
	return result, nil
}

// byteCount writes a number of bytes with two digits of its largest binary unit.
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

// shapeBytes multiplies the sizes of a shape and the bytes of one element; false where the product overflows.
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
