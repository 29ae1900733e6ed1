package safefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// strictJSON reads JSON with a structure that the caller knows. It rejects duplicate keys, which encoding/json accepts,
// and never reads deeper than the caller requests.
type strictJSON struct{ *json.Decoder }

func newStrictJSON(text []byte) (strictJSON, error) {
	if !utf8.Valid(text) {
		return strictJSON{}, errors.New("not UTF-8")
	}
	// The token decoder alone would accept a misplaced comma, and would ignore data after the value.
	if !json.Valid(text) {
		return strictJSON{}, errors.New("not one whole JSON value")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return strictJSON{decoder}, nil
}

func (d strictJSON) open(delimiter json.Delim, what string) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if token != delimiter {
		return fmt.Errorf("%s was expected, not %.40q", what, fmt.Sprint(token))
	}
	return nil
}

// object calls field at the value of each key.
func (d strictJSON) object(field func(key string) error) error {
	if err := d.open('{', "an object"); err != nil {
		return err
	}
	seen := map[string]bool{}
	for d.More() {
		key, err := d.text()
		if err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("the key %.80q occurs twice", key)
		}
		seen[key] = true
		if err := field(key); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// sizes reads an array of non-negative integers.
func (d strictJSON) sizes() ([]int, error) {
	if err := d.open('[', "an array"); err != nil {
		return nil, err
	}
	sizes := []int{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		number, _ := token.(json.Number)
		size, err := strconv.ParseUint(number.String(), 10, strconv.IntSize-1)
		if err != nil {
			return nil, fmt.Errorf("%.40q is not a size", fmt.Sprint(token))
		}
		sizes = append(sizes, int(size))
	}
	_, err := d.Token()
	return sizes, err
}

func (d strictJSON) text() (string, error) {
	token, err := d.Token()
	if err != nil {
		return "", err
	}
	text, ok := token.(string)
	if !ok {
		return "", fmt.Errorf("a string was expected, not %.40q", fmt.Sprint(token))
	}
	return text, nil
}

func (d strictJSON) skip() error {
	var value json.RawMessage
	return d.Decode(&value)
}

// EachField calls do for every key of a JSON object in its order. A key that occurs twice is an error.
func EachField(object []byte, do func(key string, value json.RawMessage) error) error {
	decoder, err := newStrictJSON(object)
	if err != nil {
		return err
	}
	return decoder.object(func(key string) error {
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		return do(key, value)
	})
}
