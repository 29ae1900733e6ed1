package persona

import (
	"fmt"
	"image"
	"math"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// sit draws a portrait of a fixed sitter with settings modified by change.
func sit(size int, change func(*Sitting)) *image.NRGBA {
	sitting := Sitting{Scale: 100, Contrast: 100, Tint: [3]int{100, 100, 100}, GroundColour: 1}
	change(&sitting)
	picture := newPicture(size)
	DrawSitter(seed.Stream(5, "sitter"), 0, Man).Portray(picture, size, sitting, seed.Stream(5, "picture"))
	return picture
}

func TestSitting_EveryPart(t *testing.T) {
	plainPicture := sit(32, func(*Sitting) {})
	changes := map[string]func(*Sitting){
		"expression": func(s *Sitting) { s.Expression = 9 }, "clothing": func(s *Sitting) { s.Clothing = 3 },
		"ground colour": func(s *Sitting) { s.GroundColour = 2 }, "turn": func(s *Sitting) { s.Turn = 9 },
		"scale": func(s *Sitting) { s.Scale = 80 }, "place": func(s *Sitting) { s.MoveX = 9 },
		"height": func(s *Sitting) { s.MoveY = 6 }, "mirror": func(s *Sitting) { s.Mirrored = true },
		"contrast": func(s *Sitting) { s.Contrast = 80 }, "brightness": func(s *Sitting) { s.Brightness = 9 },
		"tint": func(s *Sitting) { s.Tint[1] = 90 }, "tear": func(s *Sitting) { s.Torn = true },
	}
	for g := ShadedGround; g <= BlotchedGround; g++ {
		changes[g.String()] = func(s *Sitting) { s.Ground = g }
	}
	seen := map[string]string{}
	for name, change := range changes {
		picture := sit(32, change)
		if slices.Equal(picture.Pix, plainPicture.Pix) {
			t.Errorf("%s does not show", name)
		}
		key := fmt.Sprint(picture.Pix)
		if other := seen[key]; other != "" {
			t.Errorf("%s and %s give one picture", name, other)
		}
		seen[key] = name
	}
}

// A plain background has only its first colour, stripes, rings and checks have two weights of the second colour, and
// other backgrounds have many.
func TestGround_Mix(t *testing.T) {
	for g := PlainGround; g <= BlotchedGround; g++ {
		weights := map[int]bool{}
		for i := range 20 {
			ground := Sitting{Ground: g}.ground(seed.Stream(uint64(i), "ground"), 32)
			for y := range 32 {
				for x := range 32 {
					w := ground.weight(x, y)
					if w < 0 || w > 256 {
						t.Fatalf("%s: weight %d", g, w)
					}
					weights[w] = true
				}
			}
		}
		want := map[Ground]int{PlainGround: 1, StripedGround: 2, RingedGround: 2, ChequeredGround: 2}[g]
		if want > 0 && len(weights) != want || want == 0 && len(weights) < 64 {
			t.Errorf("%s has %d weights", g, len(weights))
		}
	}
}

// Cosine and sine may differ in their last bits between processors. No value is so close to the middle between two
// integers that its rounding could differ.
func TestSitting_Rounding(t *testing.T) {
	const edge = 1e-8
	near := func(v float64) bool { return math.Abs(math.Abs(v-math.Trunc(v))-.5) < edge }
	for _, size := range []int{32, 64} {
		figure := spriteSize >> resolution(size)
		ratio := float64(figure) / float64(size)
		for turn := -12; turn <= 12; turn++ {
			for scale := 80; scale <= 106; scale++ {
				p := Sitting{Turn: turn, Scale: scale}.placement()
				cos, sin := math.Cos(p.turn)/p.scale*ratio*one, math.Sin(p.turn)/p.scale*ratio*one
				if near(cos) || near(sin) {
					t.Errorf("%d pixels, %d degrees, %d percent", size, turn, scale)
				}
				for x := -9; x <= 9; x++ {
					for y := -2; y <= 2; y++ {
						q := Sitting{Turn: turn, Scale: scale, MoveX: x, MoveY: y}.placement()
						cx, cy := (.5+q.moveX)*float64(size), (.5+q.moveY)*float64(size)
						half := float64(figure) / 2 * one
						if turn != 0 && (near(half-cos*cx-sin*cy) || near(half+sin*cx-cos*cy)) {
							t.Errorf("%d pixels, %d degrees, %d percent at %d, %d", size, turn, scale, x, y)
						}
					}
				}
			}
		}
	}
	for i := range grain {
		p := (float64(i) + .5) / 256
		if near(8 * 16 * math.Sqrt2 * math.Erfinv(2*p-1)) {
			t.Errorf("grain %d", i)
		}
	}
}

// Sitters do not differ in their clothes, and distinct sitters differ in the other features.
func TestDrawSitter_Differences(t *testing.T) {
	source := seed.Stream(3, "sitters")
	a := DrawSitter(source, 0, Man)
	b := a
	b.look.clothing = 4
	if a.Distance(b) == 0 || DrawSitter(source, 0, Man).look.clothing != 0 {
		t.Error("sitters have clothes of their own")
	}
	far := DrawDistinctSitter(source, []Sitter{a}, 50, 0, Man)
	if far.Distance(a) < 8 || far.Gender() != Man || far.Group() != 0 {
		t.Errorf("the farthest of fifty is at distance %d", far.Distance(a))
	}
	if name, country := DrawName(source, 3, Woman); name == "" || country == "" {
		t.Error("no name")
	}
	for _, head := range Heads() {
		if head == "a afro" || head == "" {
			t.Errorf("a head of %q", head)
		}
	}
	if HairColours()[0] != "black" || ClothingColours()[0] != "red" || GroundColours()[0] != "blue" ||
		Expressions() < 10 {
		t.Error("the lists are not those of the pictures")
	}
}
