package metric

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Bounds on a judge's answer, so that a hostile one costs little: a good one is below 4 KiB and has one opening brace.
const (
	longestJudgment  = 1 << 16
	judgmentAttempts = 64
)

// ParseJudgment reads a judge's answer: the first JSON object in the text that has a field "score", a number or a
// string that spells one. The score is clamped to [0, 100]. Prose and code fences around the object are skipped;
// comments from // to the end of the line, which the rubric's own example has, are allowed in it; braces in strings and
// nested objects are no obstacle, and the "score" of an object nested in another does not count.
//
// No such object, a score that is no finite number, or a text above 64 KiB is an error; the caller asks again.
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

// leadingObject decodes the JSON object that text begins with and returns its fields and its length, or nil.
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

// blankComments overwrites // comments outside strings with spaces, so that offsets stay.
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

// remark decodes a field that is there for the reader only: one that is missing or of another shape is left out and
// does not cost the score.
func remark[T any](field json.RawMessage) T {
	var value, none T
	if json.Unmarshal(field, &value) != nil {
		return none
	}
	return value
}
