package causal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

// Sample is a question whose answer is traced.
type Sample struct {
	// Prompt is the text that the model reads. If there is an image and Prompt has no [language.ImageMark], Prompt is a
	// question. It is wrapped in LLaVA 1.5's conversation template, and the answer comes after it.
	Prompt  string `json:"prompt"`
	Subject string `json:"subject"` // a part of the prompt that occurs there once
	// Substitute replaces the subject in the corrupted run and must have as many tokens. If it is empty, the first
	// suitable element of defaultSubstitutes replaces the subject.
	Substitute string `json:"substitute"`
	Answer     string `json:"answer"`
	// Image holds the pixels from [language.Model.Pixels], or nil without an image.
	Image []float32 `json:"-"`
}

// Part is the part of a prompt that a row belongs to.
type Part string

const (
	ImagePart   Part = "image"   // the image, all of whose tokens are one row
	SubjectPart Part = "subject" // a token of the subject
	LaterPart   Part = "later"   // a token after the subject
	LastPart    Part = "last"    // the last token before the answer
)

// Row is a token or the image: the positions that are restored together.
type Row struct {
	Token     string `json:"token"`
	Part      Part   `json:"part"`
	positions []int  // positions in the expanded prompt
}

// defaultSubstitutes lists the default replacements of a subject: places and things, which do not fit a question about
// a person.
var defaultSubstitutes = substitutes()

func substitutes() []string {
	words := []string{"place", "stone", "river", "tree", "table", "cloud", "garden", "window", "bridge", "forest"}
	var all []string
	for length := 1; length <= len(words); length++ {
		for from := range words {
			row := append(words[from:len(words):len(words)], words[:from]...)[:length]
			all = append(all, "this "+strings.Join(row, " "), strings.Join(row, " "))
		}
	}
	return all
}

type tokenizedSample struct {
	sample           Sample
	clean, corrupted []int32 // tokens with the image expanded, and with the answer except for its last token
	answer           []int32 // tokens of the answer whose probability is used
	first            int     // position that predicts the first token of the answer
	rows             []Row
}

// text returns everything that the model reads before the answer, with subject in place of the sample's subject.
func (s Sample) text(subject string) string {
	text := strings.Replace(s.Prompt, s.Subject, subject, 1)
	if s.Image == nil || strings.Contains(s.Prompt, language.ImageMark) {
		return text
	}
	return "USER: " + language.ImageMark + "\n" + text + " ASSISTANT:"
}

// prepare tokenizes a sample and chooses a substitute if the sample has none.
func (t *Tracer) prepare(sample Sample, whole bool) (*tokenizedSample, error) {
	switch {
	case strings.TrimSpace(sample.Subject) == "":
		return nil, fmt.Errorf("there is no subject; name a part of the prompt")
	case strings.TrimSpace(sample.Answer) == "":
		return nil, fmt.Errorf("there is no answer; give what the model should say")
	case strings.Count(sample.Prompt, sample.Subject) != 1:
		return nil, fmt.Errorf("the prompt contains the subject %.60q %d times; name a part that occurs once",
			sample.Subject, strings.Count(sample.Prompt, sample.Subject))
	case sample.Substitute == sample.Subject:
		return nil, fmt.Errorf("the substitute is the subject itself; name something else")
	}
	prompt, answer, err := t.model.Continue(sample.text(sample.Subject), strings.TrimSpace(sample.Answer))
	if err != nil {
		return nil, err
	}
	if len(answer) == 0 {
		return nil, fmt.Errorf("the answer %.60q gets no token", sample.Answer)
	}
	if !whole {
		answer = answer[:1]
	}
	p := &tokenizedSample{sample: sample, answer: answer}
	from, to, err := t.span(sample, prompt)
	if err != nil {
		return nil, err
	}
	corrupted, err := t.corrupt(&p.sample, prompt, answer, from, to)
	if err != nil {
		return nil, err
	}
	if p.rows, err = t.rows(prompt, from, to); err != nil {
		return nil, err
	}
	if seen := p.rows[0].Part == ImagePart; seen != (sample.Image != nil) {
		return nil, fmt.Errorf("the prompt marks a place for an image, but there is no image; give one, or a prompt "+
			"without %s", language.ImageMark)
	}
	for _, run := range []struct {
		to  *[]int32
		ids []int32
	}{{&p.clean, prompt}, {&p.corrupted, corrupted}} {
		expanded, err := t.model.Expand(run.ids)
		if err != nil {
			return nil, err
		}
		p.first = len(expanded) - 1
		*run.to = slices.Concat(expanded, answer[:len(answer)-1])
	}
	return p, t.model.Fits(append(prompt[:len(prompt):len(prompt)], answer...))
}

// span returns the positions of the subject's tokens in the prompt. They include tokens that extend beyond the
// subject's ends.
func (t *Tracer) span(sample Sample, prompt []int32) (from, to int, err error) {
	text := sample.text(sample.Subject)
	at := strings.Index(text, sample.Subject)
	if strings.Count(text, sample.Subject) != 1 {
		return 0, 0, fmt.Errorf("the subject %.60q also occurs in the conversation around the prompt; name a "+
			"longer part", sample.Subject)
	}
	before, err := t.model.Tokens(strings.TrimRight(text[:at], " "))
	if err != nil {
		return 0, 0, err
	}
	until, err := t.model.Tokens(text[:at+len(sample.Subject)])
	if err != nil {
		return 0, 0, err
	}
	from, to = common(before, prompt), common(until, prompt)
	if to < len(until) {
		to++
	}
	if to = min(to, len(prompt)); from >= to {
		return 0, 0, fmt.Errorf("the subject %.60q has no token of its own; name a longer part", sample.Subject)
	}
	return from, to, nil
}

// common returns the length of the longest common prefix.
func common(a, b []int32) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// corrupt returns the prompt with the substitute. It chooses a substitute if the sample has none.
func (t *Tracer) corrupt(sample *Sample, prompt, answer []int32, from, to int) ([]int32, error) {
	named := sample.Substitute != ""
	tried := defaultSubstitutes
	if named {
		tried = []string{sample.Substitute}
	}
	for _, substitute := range tried {
		ids, after, err := t.model.Continue(sample.text(substitute), strings.TrimSpace(sample.Answer))
		if err != nil {
			return nil, err
		}
		tokens := len(ids) - len(prompt) + to - from
		switch {
		case len(ids) == len(prompt) && slices.Equal(ids[:from], prompt[:from]) &&
			slices.Equal(ids[to:], prompt[to:]) && len(after) >= len(answer) &&
			slices.Equal(after[:len(answer)], answer) && !slices.Equal(ids, prompt):
			sample.Substitute = substitute
			return ids, nil
		case named && len(ids) != len(prompt):
			return nil, fmt.Errorf("the subject %.60q has %d tokens and the substitute %.60q %d; name one of as many",
				sample.Subject, to-from, substitute, tokens)
		case named:
			return nil, fmt.Errorf("the substitute %.60q changes no token, or tokens outside the subject; name "+
				"another", substitute)
		}
	}
	return nil, fmt.Errorf("none of the %d known substitutes has the %d tokens of the subject %.60q; name one",
		len(defaultSubstitutes), to-from, sample.Subject)
}

// rows returns a row for the image, if there is one, and for each token of the subject and after it.
func (t *Tracer) rows(prompt []int32, from, to int) ([]Row, error) {
	expanded, err := t.model.Expand(prompt)
	if err != nil {
		return nil, err
	}
	more := len(expanded) - len(prompt) // number of positions that the image takes in addition to its placeholder
	image := -1
	if t.model.Sees() {
		image = slices.Index(prompt, t.model.Vision().Placeholder)
	}
	var rows []Row
	if image >= 0 {
		row := Row{Token: language.ImageMark, Part: ImagePart}
		for place := image; place <= image+more; place++ {
			row.positions = append(row.positions, place)
		}
		rows = append(rows, row)
	}
	for at := from; at < len(prompt); at++ {
		if at == image {
			continue
		}
		row := Row{Token: t.model.Token(prompt[at]), Part: LaterPart, positions: []int{at}}
		if image >= 0 && at > image {
			row.positions[0] += more
		}
		switch {
		case at < to:
			row.Part = SubjectPart
		case at == len(prompt)-1:
			row.Part = LastPart
		}
		rows = append(rows, row)
	}
	return rows, nil
}
