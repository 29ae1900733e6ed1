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

// Right reports whether the answer is the exercise's. The error says that the answer is of the wrong kind.
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

// candidates are the forms in which an answer may have been recorded.
func (e Exercise) candidates(answer any) ([]string, error) {
	switch {
	case e.Grid > 0:
		numbers, err := readings(answer)
		if err != nil {
			return nil, err
		}
		var points []string
		for _, x := range numbers {
			// Both neighbours on the grid, so that an answer just across the middle between two points is not wrong.
			points = append(points, gridPoint(math.Floor(x/e.Grid)), gridPoint(math.Ceil(x/e.Grid)))
		}
		return points, nil
	case len(e.Choices) > 0:
		choice, err := chosen(answer, e.Choices)
		return []string{choice}, err
	}
	said := word(answer)
	plain := strings.Join(wordsOf(said), " ")
	candidates := []string{said, strings.Trim(said, ".!?\"' "), plain}
	for _, article := range []string{"the ", "a ", "an "} {
		if rest, has := strings.CutPrefix(plain, article); has {
			candidates = append(candidates, rest)
		}
	}
	slices.Sort(candidates)
	return slices.Compact(candidates), nil
}

// unanswered tells whether an answer is what the notebook has before anybody answers.
func unanswered(answer any) bool {
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

// divided tells whether an answer came as a whole number where a fraction is asked for: Go divides whole numbers so.
func (e Exercise) divided(answer any) bool {
	value := reflect.ValueOf(answer)
	return value.IsValid() && (value.CanInt() || value.CanUint()) && e.Grid > 0 && e.Grid < 1
}

// asks says what kind of answer is wanted.
func (e Exercise) asks() string {
	switch {
	case len(e.Choices) > 0:
		return " One of: " + strings.Join(e.Choices, ", ") + "."
	case e.Grid > 0 && e.Grid < 1:
		return " A number; in Go 1/4 is 0, so write 1.0/4."
	}
	return ""
}

// chosen is the choice that an answer names: as it is, as true or false, or within a few words.
func chosen(answer any, choices []string) (string, error) {
	if yes, isBool := answer.(bool); isBool && slices.Contains(choices, "yes") {
		return map[bool]string{true: "yes", false: "no"}[yes], nil
	}
	said := wordsOf(fmt.Sprint(answer))
	var named []string
	for _, choice := range choices {
		of := wordsOf(choice)
		if slices.Equal(said, of) || slices.Equal(of, []string{"yes"}) && len(said) > 0 && said[0] == "yes" ||
			slices.Equal(of, []string{"no"}) && len(said) > 0 && said[0] == "no" {
			return choice, nil
		}
		if within(said, of) && negated(said) == negated(of) {
			named = append(named, choice)
		}
	}
	if len(named) == 1 {
		return named[0], nil
	}
	return "", fmt.Errorf("the answer is one of %s, not %v", strings.Join(choices, ", "), answer)
}

// within tells whether some words stand in others, one after the other.
func within(all, some []string) bool {
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

// wordsOf are the words of a text, in small letters and without what stands between them.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// word writes an answer so that case and spacing do not matter.
func word(answer any) string {
	return strings.Join(strings.Fields(strings.ToLower(fmt.Sprint(answer))), " ")
}

// measured is a number as a person writes it: perhaps a fraction, with a sign for percent or a unit behind it.
var measured = regexp.MustCompile(`^([-+−]?[0-9]*[.,]?[0-9]+(?:[eE][-+]?[0-9]+)?)(?:\s*/\s*([0-9]*[.,]?[0-9]+))?` +
	`\s*(%|percent|[\pL][\pL .²³-]*)?\.?$`)

// readings are the numbers that an answer may stand for. Percent may be meant as such or as a share.
func readings(answer any) ([]float64, error) {
	value := reflect.ValueOf(answer)
	x := math.NaN()
	share := false
	switch {
	case !value.IsValid():
	case value.CanFloat():
		x = value.Float()
	case value.CanInt():
		x = float64(value.Int())
	case value.CanUint():
		x = float64(value.Uint())
	case value.Kind() == reflect.String:
		x, share = written(strings.TrimSpace(value.String()))
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, fmt.Errorf("the answer is a number, not %v", answer)
	}
	if share {
		return []float64{x, x / 100}, nil
	}
	return []float64{x}, nil
}

// written reads a number from a text, NaN where there is none, and whether it is in percent.
func written(text string) (x float64, percent bool) {
	parts := measured.FindStringSubmatch(text)
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

// numeric is the one number that an answer stands for.
func numeric(answer any) (float64, error) {
	numbers, err := readings(answer)
	if err != nil {
		return 0, err
	}
	return numbers[0], nil
}
