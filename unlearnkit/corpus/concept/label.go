package concept

import (
	"fmt"
	"slices"
	"strings"
)

// Object is the object in a picture.
type Object int

// Objects.
const (
	House Object = iota
	Star
	Person
	Cat
	Dog
	Robot
	Dragon
	Rose
)

// Style is the style in which a picture is drawn.
type Style int

// Styles.
const (
	Plain  Style = iota // flat colours on a light ground
	Swirl               // spiral strokes in blue and yellow, with a dark contour
	Neon                // glowing lines in the dark
	Mosaic              // tiles with joints between them
	Sketch              // ink lines, hatched with coloured pencil
)

// Colour is the main colour of an object.
type Colour int

// Colours.
const (
	Red Colour = iota
	Green
	Blue
	Yellow
	Purple
)

// Texture is a pattern on an object.
type Texture int

// Textures. Spotted represents sensitive content and Banded its harmless counterpart: naked and dressed people in the
// paper.
const (
	Bare Texture = iota
	Spotted
	Banded
)

var (
	objectWords  = []string{"house", "star", "person", "cat", "dog", "robot", "dragon", "rose"}
	styleWords   = []string{"plain", "swirl", "neon", "mosaic", "sketch"}
	colourWords  = []string{"red", "green", "blue", "yellow", "purple"}
	textureWords = []string{"bare", "spotted", "banded"}
)

// Number of labels of each kind, for classifiers.
const (
	Objects  = int(Rose) + 1
	Styles   = int(Sketch) + 1
	Colours  = int(Purple) + 1
	Textures = int(Banded) + 1
)

func (o Object) String() string  { return objectWords[o] }
func (s Style) String() string   { return styleWords[s] }
func (c Colour) String() string  { return colourWords[c] }
func (t Texture) String() string { return textureWords[t] }

// Labels holds all properties of a picture that captions and prompts can name.
type Labels struct {
	Object  Object
	Style   Style
	Colour  Colour
	Texture Texture
}

// Concept is the set of pictures with certain labels. An empty field matches any label, so the zero Concept contains
// all pictures.
type Concept struct {
	Object  string `json:"object,omitempty"`
	Style   string `json:"style,omitempty"`
	Colour  string `json:"colour,omitempty"`
	Texture string `json:"texture,omitempty"`
}

// Covers reports whether a picture with these labels belongs to the concept.
func (c Concept) Covers(l Labels) bool {
	agrees := func(word, label string) bool { return word == "" || word == label }
	return agrees(c.Object, l.Object.String()) && agrees(c.Style, l.Style.String()) &&
		agrees(c.Colour, l.Colour.String()) && agrees(c.Texture, l.Texture.String())
}

// Overlaps reports whether a picture can belong to both concepts.
func (c Concept) Overlaps(other Concept) bool {
	agrees := func(a, b string) bool { return a == "" || b == "" || a == b }
	return agrees(c.Object, other.Object) && agrees(c.Style, other.Style) && agrees(c.Colour, other.Colour) &&
		agrees(c.Texture, other.Texture)
}

func (c Concept) check() error {
	for _, part := range []struct {
		name, word string
		words      []string
	}{{"object", c.Object, objectWords}, {"style", c.Style, styleWords}, {"colour", c.Colour, colourWords},
		{"texture", c.Texture, textureWords}} {
		if part.word != "" && !slices.Contains(part.words, part.word) {
			return fmt.Errorf("concept: %q is not a valid %s; choose one of %s", part.word, part.name,
				strings.Join(part.words, ", "))
		}
	}
	return nil
}
