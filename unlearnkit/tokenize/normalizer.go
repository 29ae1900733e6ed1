package tokenize

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// normalizer returns the text rewriting that the component describes.
func (c component) normalizer() (func(string) string, error) {
	switch c.Type {
	case "NFC":
		return inForm(norm.NFC), nil
	case "NFD":
		return inForm(norm.NFD), nil
	case "NFKC":
		return inForm(norm.NFKC), nil
	case "NFKD":
		return inForm(norm.NFKD), nil
	case "Lowercase":
		return lowercase, nil
	case "Prepend":
		return func(text string) string {
			if text == "" {
				return ""
			}
			return c.Prepend + text
		}, nil
	case "Strip":
		return func(text string) string {
			if c.StripLeft {
				text = strings.TrimLeftFunc(text, unicode.IsSpace)
			}
			if c.StripRight {
				text = strings.TrimRightFunc(text, unicode.IsSpace)
			}
			return text
		}, nil
	case "Replace":
		return c.replacer()
	case "Sequence":
		return sequence(c.Normalizers)
	}
	return nil, fmt.Errorf("normalizer %q is not supported", c.Type)
}

func inForm(form norm.Form) func(string) string {
	return func(text string) string { return normalForm(form, text) }
}

func sequence(parts []component) (func(string) string, error) {
	var steps []func(string) string
	for _, part := range parts {
		step, err := part.normalizer()
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return func(text string) string {
		for _, step := range steps {
			text = step(text)
		}
		return text
	}, nil
}

// replacer returns a function that replaces a string, or the matches of a regular expression, with Content.
func (c component) replacer() (func(string) string, error) {
	switch {
	case c.Pattern != nil && c.Pattern.String != nil && *c.Pattern.String != "":
		old := *c.Pattern.String
		return func(text string) string { return strings.ReplaceAll(text, old, c.Content) }, nil
	case c.Pattern != nil && c.Pattern.Regex != nil:
		p, err := compilePattern(*c.Pattern.Regex)
		if err != nil {
			return nil, err
		}
		return func(text string) string { return p.replace(text, c.Content) }, nil
	}
	return nil, errors.New("\"Replace\" needs a pattern that is a String or a Regex")
}

// lowercase maps each character on its own, as Rust's char::to_lowercase does: a capital sigma at the end of a word
// becomes σ, not ς.
func lowercase(text string) string {
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if r == 'İ' {
			return r
		}
		return unicode.ToLower(r)
	}, text), "İ", "i\u0307")
}
