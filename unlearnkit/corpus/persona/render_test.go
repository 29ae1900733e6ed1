package persona

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// A sprite's colour follows the formula (R−w)·skin + (G−w)·clothing + (B−w)·hair + w·255, times the opacity, for the
// stored sheet with w = min(R, G, B).
func TestSprite_Colours(t *testing.T) {
	file, err := spriteFiles.ReadFile("sprites/open_peeps.png")
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	sheet := decoded.(*image.NRGBA)
	list, _ := spriteFiles.ReadFile("sprites/open_peeps.txt")
	colours := palette{skin: colour{200, 150, 100}, clothing: colour{10, 220, 90}, hair: colour{90, 30, 250}}
	for i, name := range strings.Fields(string(list)) {
		f := newFigure(spriteSize, true)
		f.paint(openPeeps().at(name, spriteSize), colours)
		for y := range spriteSize {
			for x := range spriteSize {
				c := sheet.NRGBAAt(i%sheetColumns*spriteSize+x, i/sheetColumns*spriteSize+y)
				white := min(c.R, c.G, c.B)
				for channel := range 3 {
					want := (float64(c.R-white)*float64(colours.skin[channel]) +
						float64(c.G-white)*float64(colours.clothing[channel]) +
						float64(c.B-white)*float64(colours.hair[channel]) +
						float64(white)*255) / 255 * float64(c.A) / 255
					if got := float64(f.pixels[y*spriteSize+x] >> (8 * channel) & 0xff); math.Abs(got-want) > 2.5 {
						t.Fatalf("%s at (%d, %d), channel %d: %g, want %g", name, x, y, channel, got, want)
					}
				}
				if got := uint8(f.pixels[y*spriteSize+x] >> 24); got != c.A {
					t.Fatalf("%s at (%d, %d): opacity %d, want %d", name, x, y, got, c.A)
				}
			}
		}
	}
}

// plainScene returns a scene with one person, a grey background and no light effects.
func plainScene(size int, place placement) scene {
	l := look{head: 3, skin: 1, clothing: 2}
	return scene{
		size: size, ground: ground{first: [3]int{90, 90, 90}, second: [3]int{90, 90, 90}, size: size},
		parts: []part{{figure: l.figure(pose{}, size), placement: place}},
		light: light{contrast: 1, tint: [3]float64{1, 1, 1}},
	}
}

func drawn(s scene) *image.NRGBA {
	picture := newPicture(s.size)
	s.draw(picture, seed.Stream(1, "test"))
	return picture
}

func meanDifference(a, b *image.NRGBA) float64 {
	sum := 0.
	for i := range a.Pix {
		sum += math.Abs(float64(a.Pix[i]) - float64(b.Pix[i]))
	}
	return sum / float64(len(a.Pix))
}

func TestPicture_Mirrored(t *testing.T) {
	straight := drawn(plainScene(32, placement{turn: .2, scale: .9, moveY: .05}))
	mirrored := drawn(plainScene(32, placement{turn: -.2, scale: .9, moveY: .05, mirrored: true}))
	flipped := newPicture(32)
	for y := range 32 {
		for x := range 32 {
			flipped.SetNRGBA(31-x, y, straight.NRGBAAt(x, y))
		}
	}
	if d := meanDifference(mirrored, flipped); d > .5 {
		t.Errorf("differs by %g", d)
	}
	if d := meanDifference(mirrored, straight); d < 3 {
		t.Errorf("is the picture itself within %g", d)
	}
}

// Moving and scaling change only the figure.
func TestPicture_Placement(t *testing.T) {
	rest := drawn(plainScene(32, placement{scale: 1}))
	moved := drawn(plainScene(32, placement{scale: 1, moveX: .125}))
	for y := range 32 {
		for x := 4; x < 32; x++ {
			a, b := rest.NRGBAAt(x-4, y), moved.NRGBAAt(x, y)
			if max(a.R, b.R)-min(a.R, b.R) > 1 {
				t.Fatalf("(%d, %d) is %v, was %v four pixels before", x, y, b, a)
			}
		}
	}
	if corner := rest.NRGBAAt(0, 0); corner.R != 90 || corner.A != 255 {
		t.Errorf("the ground is %v", corner)
	}
	// The shoulders continue below the sprite.
	small := drawn(plainScene(32, placement{scale: .7}))
	if below := small.NRGBAAt(16, 31); below.R == 90 && below.G == 90 {
		t.Error("the ground shows under the shoulders")
	}
}

func TestPicture_HalfSize(t *testing.T) {
	place := placement{turn: .1, scale: .95, moveX: .03}
	small, large := drawn(plainScene(32, place)), drawn(plainScene(64, place))
	halved := newPicture(32)
	for y := range 32 {
		for x := range 32 {
			for channel := range 4 {
				sum := 0
				for _, at := range []int{large.PixOffset(2*x, 2*y), large.PixOffset(2*x+1, 2*y),
					large.PixOffset(2*x, 2*y+1), large.PixOffset(2*x+1, 2*y+1)} {
					sum += int(large.Pix[at+channel])
				}
				halved.Pix[halved.PixOffset(x, y)+channel] = uint8(sum / 4)
			}
		}
	}
	if d := meanDifference(small, halved); d > 3 {
		t.Errorf("differs by %g", d)
	}
}

func TestPicture_LightAndGrain(t *testing.T) {
	s := plainScene(64, placement{scale: 1})
	s.parts = nil
	s.light = light{contrast: .5, offset: 20, tint: [3]float64{1, .9, 1.1}, noise: 16}
	picture := drawn(s)
	for channel, tint := range s.light.tint {
		want := ((90-128)*.5 + 128 + 20) * tint
		var sum, squares float64
		for i := channel; i < len(picture.Pix); i += 4 {
			d := float64(picture.Pix[i]) - want
			sum += d
			squares += d * d
		}
		n := float64(len(picture.Pix) / 4)
		if mean := sum / n; math.Abs(mean) > 1 {
			t.Errorf("channel %d is off by %g", channel, mean)
		}
		if deviation := math.Sqrt(squares / n); math.Abs(deviation-8) > .6 {
			t.Errorf("channel %d has grain of %g, want 8", channel, deviation)
		}
	}
}

func TestPicture_DistortedAndCrowded(t *testing.T) {
	source := seed.Stream(3, "test")
	person := drawLook(source, peepsStyle, 0, Man)
	for range 40 {
		p := drawPortrait(seed.Stream(3, "test", source.IntN(1000)), candidate{look: person}, 32)
		whole := p.scene(seed.Stream(4, "test"))
		p.pose.rowShift = drawDistortion(source, 32)
		if len(p.pose.rowShift) != 32 || slices.Max(p.pose.rowShift)-slices.Min(p.pose.rowShift) < 2*one {
			t.Errorf("shifts %v", p.pose.rowShift)
		}
		broken := p.scene(seed.Stream(4, "test"))
		p.truth.Crowded, p.companion = true, drawLook(source, peepsStyle, 2, Woman)
		crowd := p.scene(seed.Stream(4, "test"))
		if meanDifference(drawn(whole), drawn(broken)) < 1 || len(crowd.parts) != 2 {
			t.Error("a fault does not show")
		}
	}
}

func TestSprites_Exist(t *testing.T) {
	for s := range arts {
		art := arts[s]
		for head := range art.heads {
			for beard := range art.beards {
				l := look{style: style(s), head: head, beard: beard, glasses: min(beard, len(art.glasses)-1)}
				for face := range art.faces {
					l.skull, l.nose = face%len(loreleiSkulls), face%len(loreleiNoses)
					f := l.figure(pose{face: face, eyes: face % len(loreleiEyes), brows: face % len(loreleiBrows)}, 32)
					if !slices.ContainsFunc(f.pixels, func(p uint32) bool { return p>>24 == 255 }) {
						t.Fatalf("%+v is empty", l)
					}
				}
			}
		}
	}
}

func TestShapes_FillPicture(t *testing.T) {
	seen := map[string]bool{}
	for i, pair := range shapeSprites() {
		var dark, alpha int
		var pixels []byte
		for _, p := range pair[0].shares {
			alpha += int(p.alpha)
			dark += int(p.alpha) - int(p.skin)
			pixels = append(pixels, p.skin)
		}
		if share := float64(alpha) / 255 / (spriteSize * spriteSize); share < .08 || share > .6 {
			t.Errorf("shape %d covers %.2f", i, share)
		}
		if striped := i >= shapes; striped != (dark > alpha/10) {
			t.Errorf("shape %d: %d of %d is dark", i, dark, alpha)
		}
		if seen[string(pixels)] {
			t.Errorf("shape %d looks like another", i)
		}
		seen[string(pixels)] = true
	}
}

func TestHues(t *testing.T) {
	for hue, want := range map[float64]colour{0: {255, 0, 0}, 1. / 6: {255, 255, 0}, 1. / 3: {0, 255, 0},
		.5: {0, 255, 255}, -1. / 3: {0, 0, 255}, 5. / 6: {255, 0, 255}} {
		if got := fromHSV(hue, 1, 1); got != want {
			t.Errorf("hue %g is %v, want %v", hue, got, want)
		}
	}
	if got := fromHSV(.2, 0, .5); got != (colour{128, 128, 128}) {
		t.Errorf("grey is %v", got)
	}
}
