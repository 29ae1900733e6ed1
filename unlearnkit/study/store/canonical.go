package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Canonical encodes a value as JSON in a unique form, from which keys are computed. It is the form of RFC 8785 with two
// exceptions. Integers are exact up to 21 digits, because seeds have 64 bits. Names are sorted as UTF-8, by code
// points.
//
//   - an object's names are sorted and must be distinct
//   - there is no white space, and only what JSON requires is escaped
//   - a whole number is written with digits only, any other number as the shortest decimal that gives the same float64:
//     1, 1.0 and 1e0 are the same number, and so are 0 and -0
//
// NaN, infinities and strings that are not UTF-8 are errors.
func Canonical(value any) ([]byte, error) {
	var raw bytes.Buffer
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	if bytes.Contains(raw.Bytes(), []byte(`\ufffd`)) && replacementEscape.Match(raw.Bytes()) {
		return nil, errors.New("a string is not UTF-8")
	}
	decoder := json.NewDecoder(&raw)
	decoder.UseNumber()
	return appendCanonical(nil, decoder)
}

// replacementEscape matches \ufffd, which encoding/json writes for bytes that are not UTF-8, but never for the
// character U+FFFD itself.
var replacementEscape = regexp.MustCompile(`(^|[^\\])(\\\\)*\\ufffd`)

// appendCanonical appends the decoder's next value.
func appendCanonical(dst []byte, decoder *json.Decoder) ([]byte, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case string:
		return appendString(dst, token), nil
	case json.Number:
		return appendNumber(dst, token.String())
	case json.Delim:
		if token == '[' {
			return appendArray(dst, decoder)
		}
		return appendObject(dst, decoder)
	case bool:
		return strconv.AppendBool(dst, token), nil
	}
	return append(dst, "null"...), nil
}

func appendArray(dst []byte, decoder *json.Decoder) (_ []byte, err error) {
	dst = append(dst, '[')
	for first := true; decoder.More(); first = false {
		if !first {
			dst = append(dst, ',')
		}
		if dst, err = appendCanonical(dst, decoder); err != nil {
			return nil, err
		}
	}
	_, err = decoder.Token()
	return append(dst, ']'), err
}

func appendObject(dst []byte, decoder *json.Decoder) ([]byte, error) {
	members := map[string][]byte{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name := token.(string)
		if _, twice := members[name]; twice {
			return nil, fmt.Errorf("the name %.80q occurs twice in one object", name)
		}
		if members[name], err = appendCanonical(nil, decoder); err != nil {
			return nil, err
		}
	}
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(members)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, name), ':')
		dst = append(dst, members[name]...)
	}
	_, err := decoder.Token()
	return append(dst, '}'), err
}

var shortEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

func appendString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for _, r := range text {
		if r >= 0x20 && r != '"' && r != '\\' {
			dst = utf8.AppendRune(dst, r)
		} else if escape, ok := shortEscapes[r]; ok {
			dst = append(dst, escape...)
		} else {
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
	}
	return append(dst, '"')
}

func appendNumber(dst []byte, literal string) ([]byte, error) {
	if !strings.ContainsAny(literal, ".eE") {
		if len(strings.TrimPrefix(literal, "-")) > 21 {
			return nil, fmt.Errorf("the number %.40s… has more than 21 digits", literal)
		}
		if literal == "-0" {
			literal = "0"
		}
		return append(dst, literal...), nil
	}
	value, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return nil, fmt.Errorf("the number %.40s is out of range", literal)
	}
	if value == 0 {
		return append(dst, '0'), nil
	}
	shortest, err := json.Marshal(value)
	return append(dst, shortest...), err
}
