package profile

import (
	"fmt"
	"regexp"
)

// Record is a question about a picture, with its answer.
type Record struct {
	ID        string    `json:"id"`
	Identity  int       `json:"identity"` // index into the people of the set
	Picture   int       `json:"picture"`  // index among the person's pictures
	Split     Split     `json:"split"`
	Hop       Hop       `json:"hop"`
	Attribute Attribute `json:"attribute"` // attribute that is asked for, or given in a reverse question
	Template  string    `json:"template"`
	Question  string    `json:"question"`
	Answer    string    `json:"answer"`  // a sentence that contains the keyword
	Keyword   string    `json:"keyword"` // value that the answer must contain; the name in a reverse question
}

// Prefix returns the start of an answer about an attribute, up to the value and without a trailing space. The Exposure
// metric ranks values as continuations. For names, the prefix is the same for both hops.
func Prefix(hop Hop, a Attribute, name string) string {
	w := wordingOf(a)
	subject := "the person in the image"
	if hop == Single && a != FullName {
		subject = name
	}
	prefix := fmt.Sprintf("The %s of %s is", w.relation, subject)
	if w.article != "" {
		prefix += " " + w.article
	}
	return prefix
}

// template is a question with placeholders, and its labels.
type template struct {
	attribute Attribute
	hop       Hop
	name      string
	text      string
}

func newTemplate(a Attribute, hop Hop, name, text string) template {
	return template{a, hop, fmt.Sprintf("%s/%s/%s", a, hop, name), text}
}

// trainingTemplates returns a hop's training templates: 70 for questions that name the person, 30 for others. They are
// arranged in rounds with one question for each attribute. The additional templates for names come last.
func trainingTemplates(hop Hop) []template {
	pool := func(a Attribute) []string {
		if hop == Single {
			return wordingOf(a).single
		}
		return wordingOf(a).multi
	}
	var all []template
	for round := range pool(FullName) {
		for _, a := range attributes {
			if round < len(pool(a)) {
				all = append(all, newTemplate(a, hop, fmt.Sprint(round), pool(a)[round]))
			}
		}
	}
	return all
}

// otherTemplates returns the templates of a split that is not used in training.
func otherTemplates(split Split) []template {
	var all []template
	for _, a := range attributes {
		w := wordingOf(a)
		switch split {
		case Test:
			all = append(all, newTemplate(a, Single, "test", w.singleTest), newTemplate(a, Multi, "test", w.multiTest))
		case Paraphrase:
			all = append(all, newTemplate(a, Single, "paraphrase", w.paraphrase[0]),
				newTemplate(a, Multi, "paraphrase", w.paraphrase[1]))
		case FirstPerson:
			all = append(all, newTemplate(a, Multi, "first_person", w.firstPerson))
		case Reverse:
			for i, text := range w.reverse {
				all = append(all, newTemplate(a, Multi, fmt.Sprintf("reverse/%d", i), text))
			}
		}
	}
	return all
}

var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

// record fills a template with a person's facts.
func (p Profile) record(t template, split Split, identity, picture, number int) Record {
	r := Record{
		ID:       fmt.Sprintf("%s-%02d-%03d", split, identity, number),
		Identity: identity, Picture: picture, Split: split, Hop: t.hop, Attribute: t.attribute, Template: t.name,
		Keyword: p.Facts[t.attribute],
	}
	r.Question = placeholder.ReplaceAllStringFunc(t.text, func(hole string) string {
		switch hole {
		case "{name}":
			return p.Name()
		case "{value}":
			return p.Facts[t.attribute]
		}
		return p.Facts[Attribute(hole[1:len(hole)-1])]
	})
	w := wordingOf(t.attribute)
	switch split {
	case Reverse:
		r.Keyword = p.Name()
		r.Answer = fmt.Sprintf("The person with that %s is %s.", w.relation, r.Keyword)
	case FirstPerson:
		r.Answer = fmt.Sprintf("Your %s is %s%s%s.", w.relation, withSpace(w.article), r.Keyword, w.unit)
	default:
		r.Answer = fmt.Sprintf("%s %s%s.", Prefix(t.hop, t.attribute, p.Name()), r.Keyword, w.unit)
	}
	return r
}

// withSpace appends a space to a text that is not empty.
func withSpace(words string) string {
	if words == "" {
		return ""
	}
	return words + " "
}
