package persona

import "math/rand/v2"

// Gender is the gender that a person presents in pictures, which a classifier can predict.
type Gender int

// Genders that hair and beards express in these drawings.
const (
	Man Gender = iota
	Woman
)

func (g Gender) String() string { return [...]string{"man", "woman"}[g] }

// style is a way of drawing people.
type style int

const (
	peepsStyle   style = iota // style of synthetic portraits
	loreleiStyle              // style of portraits that represent real photographs
)

// look holds the features by which a person can be recognised.
type look struct {
	style                style
	group                int
	gender               Gender
	skin, hair, clothing int
	head                 int // index into the style's heads
	beard, glasses       int // indices into the style's lists; 0 means none
	skull, nose          int // used only in the second style
}

var skins = []colour{{0xff, 0xdb, 0xb4}, {0xed, 0xb9, 0x8a}, {0xd0, 0x8b, 0x5b}, {0xae, 0x5d, 0x29}, {0x69, 0x4d, 0x3d}}

var hairs = []namedColour{
	{"black", colour{0x15, 0x11, 0x0f}}, {"brown", colour{0x6b, 0x3a, 0x1e}}, {"red", colour{0xa8, 0x40, 0x1c}},
	{"blond", colour{0xd9, 0xa5, 0x3c}}, {"grey", colour{0x8f, 0x93, 0x99}}, {"teal", colour{0x1c, 0x7f, 0x86}},
}

var clothes = []namedColour{
	{"red", colour{0xe0, 0x57, 0x4a}}, {"yellow", colour{0xf5, 0xc8, 0x3b}}, {"green", colour{0x4f, 0xae, 0x5b}},
	{"cyan", colour{0x58, 0xc4, 0xc9}},
	{"blue", colour{0x4a, 0x6f, 0xd0}}, {"violet", colour{0xb0, 0x5a, 0xc8}}, {"white", colour{0xf2, 0xf2, 0xf2}},
}

// groupLook holds the weights of skin and hair colours in a group of people, about in percent.
type groupLook struct {
	skins, hairs []int
}

var groupLooks = []groupLook{
	{skins: []int{96, 4, 0, 0, 0}, hairs: []int{1, 22, 26, 38, 10, 3}},
	{skins: []int{0, 10, 88, 2, 0}, hairs: []int{40, 46, 4, 2, 6, 2}},
	{skins: []int{0, 0, 0, 22, 78}, hairs: []int{78, 8, 3, 0, 9, 2}},
	{skins: []int{14, 86, 0, 0, 0}, hairs: []int{92, 2, 0, 0, 4, 2}},
}

// MaxGroups is the maximum number of groups of people.
const MaxGroups = 4

func weighted(source *rand.Rand, weights []int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	at := source.IntN(total)
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	panic("persona: a draw beyond all weights")
}

// drawLook returns the look of a random person of a group and gender.
func drawLook(source *rand.Rand, s style, group int, gender Gender) look {
	l := look{style: s, group: group, gender: gender}
	l.skin = weighted(source, groupLooks[group].skins)
	l.hair = weighted(source, groupLooks[group].hairs)
	l.clothing = source.IntN(len(clothes))
	art := arts[s]
	for {
		l.head = source.IntN(len(art.heads))
		if art.heads[l.head].gender == gender {
			break
		}
	}
	if gender == Man && source.IntN(100) < 45 {
		l.beard = 1 + source.IntN(len(art.beards)-1)
	}
	if source.IntN(100) < 36 {
		l.glasses = 1 + source.IntN(len(art.glasses)-1)
	}
	l.skull, l.nose = source.IntN(4), source.IntN(5)
	return l
}

// distance returns a weighted count of differences between two people: 4 each for the head's outline, the skin, visible
// hair and the clothing, and 1 for each smaller feature.
func (l *look) distance(m *look) int {
	heads := arts[l.style].heads
	d := 0
	if heads[l.head].outline != heads[m.head].outline {
		d += 4
	} else if l.head != m.head {
		d++
	}
	if l.skin != m.skin {
		d += 4
	}
	if l.hair != m.hair && heads[l.head].shows && heads[m.head].shows {
		d += 4
	}
	if l.clothing != m.clothing {
		d += 4
	}
	if l.beard != m.beard {
		d++
	}
	if l.glasses != m.glasses {
		d++
	}
	return d
}

// farthest generates people and returns the first of those that differ most from the nearest chosen person.
func farthest(source *rand.Rand, chosen []look, candidates, group int, gender Gender) look {
	var best look
	most := -1
	for range candidates {
		candidate := drawLook(source, peepsStyle, group, gender)
		least := 1 << 30
		for i := range chosen {
			if least = min(least, candidate.distance(&chosen[i])); least <= most {
				break
			}
		}
		if least > most {
			best, most = candidate, least
		}
	}
	return best
}
