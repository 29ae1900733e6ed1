package metric

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Limits for a judge's answer, so that a malicious answer costs little time. A valid answer has less than 4 KiB and one
// opening brace.
const (
	longestJudgment  = 1 << 16
	judgmentAttempts = 64
)

// ParseJudgment parses the first JSON object in the text whose field "score" is a number, or a string with a number. It
// clamps the score to [0, 100]. It skips text and code fences around the object. The object may contain comments from
// // to the end of the line, as the rubric's own example does, and also braces in strings and nested objects. It
// ignores the "score" of a nested object.
//
// It returns an error if there is no such object, if the score is not a finite number, or if the text is longer than 64
// KiB.
func ParseJudgment(text string) (Judgment, error) {
	if len(text) > longestJudgment {
		return Judgment{}, fmt.Errorf("parse judgment: answer of %d bytes, want at most %d", len(text), longestJudgment)
	}
	err := errors.New("parse judgment: no JSON object in the answer")
	for range judgmentAttempts {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			break
		}
		text = text[open:]
		fields, size := leadingObject(text)
		if fields == nil {
			text = text[1:]
			continue
		}
		if fields["score"] != nil {
			return judgmentOf(fields)
		}
		err = errors.New("parse judgment: the JSON object has no field score")
		text = text[size:]
	}
	return Judgment{}, err
}

// leadingObject decodes the JSON object at the start of text. It returns the object's fields and length, or nil if
// there is no object.
func leadingObject(text string) (map[string]json.RawMessage, int) {
	for _, t := range []string{text, blankComments(text)} {
		var fields map[string]json.RawMessage
		d := json.NewDecoder(strings.NewReader(t))
		if d.Decode(&fields) == nil {
			return fields, int(d.InputOffset())
		}
	}
	return nil, 0
}

// blankComments replaces // comments outside strings by spaces, so that offsets do not change.
func blankComments(text string) string {
	b := []byte(text)
	inString, inComment := false, false
	for i := 0; i < len(b); i++ {
		switch {
		case inComment:
			if b[i] == '\n' {
				inComment = false
			} else {
				b[i] = ' '
			}
		case inString && b[i] == '\\':
			i++
		case b[i] == '"':
			inString = !inString
		case !inString && strings.HasPrefix(text[i:], "//"):
			inComment = true
			b[i] = ' '
		}
	}
	return string(b)
}

func judgmentOf(fields map[string]json.RawMessage) (Judgment, error) {
	score, err := strconv.ParseFloat(strings.Trim(string(fields["score"]), "\" \t"), 64)
	if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
		return Judgment{}, fmt.Errorf("parse judgment: score %.40s is not a number", fields["score"])
	}
	return Judgment{
		Score:     min(max(score, 0), 100),
		Entities:  remark[[]string](fields["key_entities_gt"]),
		Matched:   remark[[]string](fields["matched_entities_pred"]),
		Reasoning: remark[string](fields["reasoning"]),
	}, nil
}

// remark decodes an optional field. If the field is missing or malformed, it returns the zero value.
func remark[T any](field json.RawMessage) T {
	var value, none T
	if json.Unmarshal(field, &value) != nil {
		return none
	}
	return value
}
