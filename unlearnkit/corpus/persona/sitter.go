package persona

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Sitter is somebody of whom portraits are drawn one by one: what stays from picture to picture. Unlike the people of a
// [World], sitters change their clothes, so that nothing but head, skin, hair, beard and glasses tells who they are.
type Sitter struct{ look look }

// DrawSitter draws somebody of a group and gender.
func DrawSitter(source *rand.Rand, group int, gender Gender) Sitter {
	s := Sitter{drawLook(source, peepsStyle, group, gender)}
	s.look.clothing = 0
	return s
}

// DrawDistinctSitter draws some candidates and returns the one that is farthest from those chosen, the first among
// equals.
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

// Nearest is the least distance to any of some sitters. Without any it is beyond every distance.
func (s Sitter) Nearest(others []Sitter) int {
	least := 1 << 30
	for _, other := range others {
		least = min(least, s.Distance(other))
	}
	return least
}

// Distance counts in what two sitters differ: 4 for the outline of the head, the skin, and hair that shows, 1 for
// smaller things. 0 is the same look.
func (s Sitter) Distance(other Sitter) int { return s.look.distance(&other.look) }

// Half is 0 or 1: two sitters of whom one is of one half and one of the other are at a distance of 4 at least.
func (s Sitter) Half() int {
	heads := arts[peepsStyle].heads
	own := heads[s.look.head]
	half := s.look.skin + slices.IndexFunc(heads, func(h head) bool { return h.outline == own.outline })
	if own.shows {
		half += s.look.hair
	}
	return half % 2
}

// Gender is how the sitter presents.
func (s Sitter) Gender() Gender { return s.look.gender }

// Group is the group of people to which the sitter belongs.
func (s Sitter) Group() int { return s.look.group }

// HairColour names the colour of the hair, or is empty where a picture does not show it.
func (s Sitter) HairColour() string {
	if !arts[peepsStyle].heads[s.look.head].shows {
		return ""
	}
	return hairs[s.look.hair].name
}

// Head describes hair or hat without a colour, "long hair" or "a turban".
func (s Sitter) Head() string {
	words := strings.ReplaceAll(arts[peepsStyle].heads[s.look.head].words, "% ", "")
	if words == "a afro" {
		return "an afro"
	}
	return words
}

// Glasses tells whether the sitter wears any.
func (s Sitter) Glasses() bool { return s.look.glasses > 0 }

// Beard tells whether the sitter has hair on the face: a beard or a moustache.
func (s Sitter) Beard() bool { return s.look.beard > 0 }

// DrawName draws a country of a group by its inhabitants, and a first and a family name that are usual there.
func DrawName(source *rand.Rand, group int, gender Gender) (name, countryName string) {
	home := drawCountry(source, group)
	return home.drawName(source, gender), home.name
}

// HairColours names the colours of hair.
func HairColours() []string { return colourNames(hairs) }

// Heads lists what [Sitter.Head] can say.
func Heads() []string {
	var all []string
	for i := range arts[peepsStyle].heads {
		if words := (Sitter{look{head: i}}).Head(); !slices.Contains(all, words) {
			all = append(all, words)
		}
	}
	return all
}
