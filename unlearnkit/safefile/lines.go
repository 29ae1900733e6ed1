package safefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
)

// EachLine calls do for every non-empty line of a file, without surrounding space. A line of more than longest bytes is
// an error before it is read. The bytes are valid until the next call. An error of do is returned with the line's
// number.
func EachLine(path string, longest int, do func(line []byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, WithoutPath(err))
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, longest)
	number := 0
	for scanner.Scan() {
		number++
		if line := bytes.TrimSpace(scanner.Bytes()); len(line) > 0 {
			if err := do(line); err != nil {
				return fmt.Errorf("read %s: line %d: %w", path, number, err)
			}
		}
	}
	if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("read %s: line %d: longer than %d bytes", path, number+1, longest)
	} else if err != nil {
		return fmt.Errorf("read %s: line %d: %w", path, number+1, WithoutPath(err))
	}
	return nil
}
