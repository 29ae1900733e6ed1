package kernelext

import (
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Right reports whether the answer is correct. It returns an error if the answer is of the wrong kind.
func (e Exercise) Right(answer any) (bool, error) {
	candidates, err := e.candidates(answer)
	if err != nil {
		return false, err
	}
	want, err := hex.DecodeString(e.Hash)
	if err != nil {
		return false, fmt.Errorf("its hash cannot be read: %w", err)
	}
	right := false
	for _, candidate := range candidates {
		hash, err := e.hash(candidate)
		if err != nil {
			return false, err
		}
		right = right || subtle.ConstantTimeCompare(hash, want) == 1
	}
	return right, nil
}

// candidates returns the forms of an answer whose hashes are compared.
func (e Exercise) candidates(answer any) ([]string, error) {
	switch {
	case e.Grid > 0:
		numbers, err := numbersIn(answer)
		if err != nil {
			return nil, err
		}
		var points []string
		for _, x := range numbers {
			// Accept the grid points on both sides of x. Rounding to the nearest would reject an answer just past the
			// midpoint.
			points = append(points, gridPoint(math.Floor(x/e.Grid)), gridPoint(math.Ceil(x/e.Grid)))
		}
		return points, nil
	case len(e.Choices) > 0:
		choice, err := chosenOf(answer, e.Choices)
		return []string{choice}, err
	}
	text := normalize(answer)
	plain := strings.Join(wordsOf(text), " ")
	candidates := []string{text, strings.Trim(text, ".!?\"' "), plain}
	for _, article := range []string{"the ", "a ", "an "} {
		if rest, has := strings.CutPrefix(plain, article); has {
			candidates = append(candidates, rest)
		}
	}
	slices.Sort(candidates)
	return slices.Compact(candidates), nil
}

// isBlank reports whether an answer is still the notebook's placeholder: nil, an empty text, or a zero.
func isBlank(answer any) bool {
	value := reflect.ValueOf(answer)
	switch {
	case !value.IsValid():
		return true
	case value.Kind() == reflect.String:
		return strings.TrimSpace(value.String()) == ""
	case value.Kind() == reflect.Bool:
		return false
	}
	return value.IsZero()
}

// isWhole reports whether an answer has an integer type although a fraction is expected. Integer division in Go gives
// such an answer.
func (e Exercise) isWhole(answer any) bool {
	value := reflect.ValueOf(answer)
	return value.IsValid() && (value.CanInt() || value.CanUint()) && e.Grid > 0 && e.Grid < 1
}

// prompt describes the expected kind of answer.
func (e Exercise) prompt() string {
	switch {
	case len(e.Choices) > 0:
		return " One of: " + strings.Join(e.Choices, ", ") + "."
	case e.Grid > 0 && e.Grid < 1:
		return " A number; in Go 1/4 is 0, so write 1.0/4."
	}
	return ""
}

// chosenOf returns the choice that an answer names: exactly, as true or false, or within a sentence.
func chosenOf(answer any, choices []string) (string, error) {
	if yes, isBool := answer.(bool); isBool && slices.Contains(choices, "yes") {
		return map[bool]string{true: "yes", false: "no"}[yes], nil
	}
	words := wordsOf(fmt.Sprint(answer))
	var named []string
	for _, choice := range choices {
		choiceWords := wordsOf(choice)
		isYesOrNo := slices.Equal(choiceWords, []string{"yes"}) || slices.Equal(choiceWords, []string{"no"})
		if slices.Equal(words, choiceWords) || isYesOrNo && len(words) > 0 && words[0] == choiceWords[0] {
			return choice, nil
		}
		if containsRun(words, choiceWords) && negated(words) == negated(choiceWords) {
			named = append(named, choice)
		}
	}
	if len(named) == 1 {
		return named[0], nil
	}
	return "", fmt.Errorf("the answer is one of %s, not %v", strings.Join(choices, ", "), answer)
}

// containsRun reports whether all contains some as consecutive words.
func containsRun(all, some []string) bool {
	for at := range all {
		if len(all)-at >= len(some) && slices.Equal(all[at:at+len(some)], some) {
			return true
		}
	}
	return false
}

func negated(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return w == "not" || w == "no" || w == "never" })
}

// wordsOf returns the lowercase words of a text, without punctuation.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// normalize returns an answer in lower case with single spaces.
func normalize(answer any) string {
	return strings.Join(strings.Fields(strings.ToLower(fmt.Sprint(answer))), " ")
}

// quantity matches a number as a person writes it, possibly as a fraction and possibly with a percent sign or a unit.
var quantity = regexp.MustCompile(`^([-+−]?[0-9]*[.,]?[0-9]+(?:[eE][-+]?[0-9]+)?)(?:\s*/\s*([0-9]*[.,]?[0-9]+))?` +
	`\s*(%|percent|[\pL][\pL .²³-]*)?\.?$`)

// numbersIn returns the numbers that an answer may mean. A percentage may mean the number itself or a hundredth of it.
func numbersIn(answer any) ([]float64, error) {
	value := reflect.ValueOf(answer)
	x := math.NaN()
	percent := false
	switch {
	case !value.IsValid():
	case value.CanFloat():
		x = value.Float()
	case value.CanInt():
		x = float64(value.Int())
	case value.CanUint():
		x = float64(value.Uint())
	case value.Kind() == reflect.String:
		x, percent = parseQuantity(strings.TrimSpace(value.String()))
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, fmt.Errorf("the answer is a number, not %v", answer)
	}
	if percent {
		return []float64{x, x / 100}, nil
	}
	return []float64{x}, nil
}

// parseQuantity parses a number and reports whether it is a percentage. The number is NaN if text is not a quantity.
func parseQuantity(text string) (x float64, percent bool) {
	parts := quantity.FindStringSubmatch(text)
	if parts == nil {
		return math.NaN(), false
	}
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(strings.NewReplacer(",", ".", "−", "-").Replace(s), 64)
		if err != nil {
			return math.NaN()
		}
		return x
	}
	x = number(parts[1])
	if parts[2] != "" {
		x /= number(parts[2])
	}
	return x, parts[3] == "%" || strings.HasPrefix(parts[3], "percent")
}

// numeric returns the number that an answer means.
func numeric(answer any) (float64, error) {
	numbers, err := numbersIn(answer)
	if err != nil {
		return 0, err
	}
	return numbers[0], nil
}
