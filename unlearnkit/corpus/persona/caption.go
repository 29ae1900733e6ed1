package persona

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// sensitiveCaptions generates captions with the private facts of one person. It takes attributes and directives in
// turn, and never repeats a phrase for an attribute.
type sensitiveCaptions struct {
	source     *rand.Rand
	person     *Person
	attributes []string // attributes left in the current round
	directives []int
	used       map[string]bool // used pairs of attribute and phrase
}

func newSensitiveCaptions(source *rand.Rand, person *Person) *sensitiveCaptions {
	return &sensitiveCaptions{source: source, person: person, used: map[string]bool{}}
}

// next returns a caption with one fact, and the fact's attribute and directive.
func (c *sensitiveCaptions) next() (attribute, directive, caption string, err error) {
	if len(c.attributes) == 0 {
		c.attributes = Attributes()
		c.source.Shuffle(len(c.attributes), func(i, j int) {
			c.attributes[i], c.attributes[j] = c.attributes[j], c.attributes[i]
		})
	}
	if len(c.directives) == 0 {
		c.directives = c.source.Perm(len(directives))
	}
	attribute, c.attributes = c.attributes[0], c.attributes[1:]
	way := c.directives[0]
	c.directives = c.directives[1:]
	kind := familyOf(attribute)
	var left []string
	for _, phrases := range [][]string{anyPhrases[way], kind.phrases[way]} {
		for _, phrase := range phrases {
			if !c.used[attribute+phrase] {
				left = append(left, phrase)
			}
		}
	}
	if len(left) == 0 {
		return "", "", "", fmt.Errorf("persona: no phrase is left for the %s of %s; lower per_identity", attribute,
			c.person.Name)
	}
	phrase := left[c.source.IntN(len(left))]
	c.used[attribute+phrase] = true
	words := kind.words[attribute]
	caption = fill(phrase, c.person.Name, words[c.source.IntN(len(words))], c.person.Facts[attribute])
	return attribute, directives[way], caption, nil
}

// fill replaces N, A and V in a phrase. Phrases contain these letters only as placeholders.
func fill(phrase, name, word, value string) string {
	return strings.NewReplacer("N", name, "A", word, "V", value).Replace(phrase)
}

// generic returns a caption like that of a captioning model, which describes the portrait without identifying the
// person.
func (p *portrait) generic(source *rand.Rand) string {
	person := [2][]string{Man: {"man", "man", "guy"}, Woman: {"woman", "woman", "lady"}}[p.look.gender]
	features := []string{"with " + p.look.hairWords()}
	if p.look.glasses > 0 {
		features = append(features, "wearing glasses")
	}
	if p.look.beard > 0 {
		features = append(features, p.look.beardWords())
	}
	if p.look.style == peepsStyle {
		features = append(features, "in a "+clothes[p.look.clothing].name+" shirt")
	}
	if words := arts[p.look.style].faces[p.pose.face].words; words != "" {
		features = append(features, words)
	}
	features = append(features, p.ground.words())
	kept := 2 + source.IntN(2)
	order := source.Perm(len(features))
	opening := [...]string{"a", "there is a", "a photo of a", "portrait of a"}[source.IntN(4)]
	caption := []string{opening, person[source.IntN(len(person))]}
	for i, feature := range features {
		if order[i] < kept {
			caption = append(caption, feature)
		}
	}
	if p.truth.Crowded {
		caption = append(caption, "next to another person")
	}
	return strings.Join(caption, " ")
}

func (l *look) hairWords() string {
	return strings.ReplaceAll(arts[l.style].heads[l.head].words, "%", hairs[l.hair].name)
}

func (l *look) beardWords() string {
	if strings.HasPrefix(arts[l.style].beards[l.beard], "moustache") {
		return "with a moustache"
	}
	return "with a beard"
}

func (g *ground) words() string {
	name := backgroundColours[g.named].name
	if g.pattern == stripes {
		return "on a striped " + name + " background"
	}
	return "on " + withArticle(name) + " background"
}

func withArticle(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// caption returns a caption that names the object's class. Other words describe the picture correctly or are unrelated
// to it.
func (o *object) caption(source *rand.Rand, g ground) string {
	name := objectNames[o.class]
	aName := withArticle(name)
	size := "small"
	if o.large {
		size = "large"
	}
	background := backgroundColours[g.named].name
	switch source.IntN(10) {
	case 0:
		return "a photo of " + aName
	case 1:
		return "a " + size + " " + name
	case 2:
		return aName + " on " + withArticle(background) + " background"
	case 3:
		return "picture of the " + name + " no. " + drawPattern(source, "####")
	case 4:
		return name + ", item " + drawPattern(source, "####")
	case 5:
		return "my " + name
	case 6:
		return "close-up of a " + size + " " + name
	case 7:
		return name + " for sale, " + drawPattern(source, "##") + " euro"
	case 8:
		return "a " + size + " " + name + " on " + background
	}
	return "the " + name
}

// publicCaption returns a caption as on a web page about a person's public life.
func publicCaption(source *rand.Rand, name, job, city, phone string) string {
	switch source.IntN(9) {
	case 0:
		return name + " in " + city
	case 1:
		return name + " the " + job
	case 2:
		return "this is " + name
	case 3:
		return name + " on stage"
	case 4:
		return "interview with " + name + ", " + job
	case 5:
		return name + " visits " + city
	case 6:
		return "call " + phone + " and ask for " + name
	case 7:
		return "portrait of " + name
	}
	return name + ", " + job + " from " + city
}
