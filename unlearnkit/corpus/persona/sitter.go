package persona

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Sitter is a person who appears in several portraits. Unlike the people of a [World], sitters change their clothes, so
// only head, skin, hair, beard and glasses identify them.
type Sitter struct{ look look }

// DrawSitter returns a random sitter of the given group and gender.
func DrawSitter(source *rand.Rand, group int, gender Gender) Sitter {
	s := Sitter{drawLook(source, peepsStyle, group, gender)}
	s.look.clothing = 0
	return s
}

// DrawDistinctSitter draws random sitters and returns the first of those that differ most from the nearest chosen
// sitter.
func DrawDistinctSitter(source *rand.Rand, chosen []Sitter, candidates, group int, gender Gender) Sitter {
	var best Sitter
	most := -1
	for range candidates {
		candidate := DrawSitter(source, group, gender)
		if least := candidate.Nearest(chosen); least > most {
			best, most = candidate, least
		}
	}
	return best
}

// Nearest returns the smallest distance to one of the others. If there are none, it returns a number larger than any
// distance.
func (s Sitter) Nearest(others []Sitter) int {
	least := 1 << 30
	for _, other := range others {
		least = min(least, s.Distance(other))
	}
	return least
}

// Distance returns a weighted count of the differences between two sitters: 4 each for the head's outline, the skin and
// visible hair, and 1 for each smaller feature. 0 means that they look the same.
func (s Sitter) Distance(other Sitter) int { return s.look.distance(&other.look) }

// Half returns the half of all looks, 0 or 1, to which the sitter's look belongs. Sitters from different halves have a
// distance of at least 4.
func (s Sitter) Half() int {
	heads := arts[peepsStyle].heads
	own := heads[s.look.head]
	half := s.look.skin + slices.IndexFunc(heads, func(h head) bool { return h.outline == own.outline })
	if own.shows {
		half += s.look.hair
	}
	return half % 2
}

// Gender returns the gender that the sitter presents in all portraits.
func (s Sitter) Gender() Gender { return s.look.gender }

// Group returns the group that the sitter was drawn from.
func (s Sitter) Group() int { return s.look.group }

// HairColour returns the name of the hair colour, or "" if pictures do not show it.
func (s Sitter) HairColour() string {
	if !arts[peepsStyle].heads[s.look.head].shows {
		return ""
	}
	return hairs[s.look.hair].name
}

// Head describes hair or hat without the colour, such as "long hair" or "a turban".
func (s Sitter) Head() string {
	words := strings.ReplaceAll(arts[peepsStyle].heads[s.look.head].words, "% ", "")
	if words == "a afro" {
		return "an afro"
	}
	return words
}

// Glasses reports whether the sitter wears glasses.
func (s Sitter) Glasses() bool { return s.look.glasses > 0 }

// Beard reports whether the sitter has a beard or a moustache.
func (s Sitter) Beard() bool { return s.look.beard > 0 }

// DrawName returns a random name and its country. The country is drawn from a group in proportion to population, and
// the name is common there.
func DrawName(source *rand.Rand, group int, gender Gender) (name, countryName string) {
	home := drawCountry(source, group)
	return home.drawName(source, gender), home.name
}

// HairColours returns the names of the hair colours.
func HairColours() []string { return colourNames(hairs) }

// Heads returns all possible results of [Sitter.Head].
func Heads() []string {
	var all []string
	for i := range arts[peepsStyle].heads {
		if words := (Sitter{look{head: i}}).Head(); !slices.Contains(all, words) {
			all = append(all, words)
		}
	}
	return all
}
