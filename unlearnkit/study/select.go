package study

import "github.com/unlearnlab/unlearnlab/unlearnkit/safefile"

// Select returns the indices of the selected rows in a table of scores.
func (s Selection) Select(frame *safefile.Frame) (rows []int, err error) {
	rows, _, err = s.of(frame)
	return rows, err
}
