package concept_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
)

var regenerate = flag.Bool("regen", false, "draw the golden pictures in testdata anew")

// gallery returns a picture of every object in every style, with alternating textures.
func gallery(world *concept.World) []*image.NRGBA {
	var pictures []*image.NRGBA
	for object := range concept.Objects {
		for style := range concept.Styles {
			for _, p := range world.Pictures(concept.ClassifierTest) {
				if l := p.Labels; int(l.Object) == object && int(l.Style) == style &&
					int(l.Texture) == (object+style)%concept.Textures {
					pictures = append(pictures, world.Image(p))
					break
				}
			}
		}
	}
	return pictures
}

func TestTiles(t *testing.T) {
	world, err := concept.New(concept.Small(0))
	if err != nil {
		t.Fatal(err)
	}
	pictures := gallery(world)[:7]
	tiles := concept.Tiles(concept.Sheet(pictures, 3), 3)
	if len(tiles) != 9 {
		t.Fatalf("%d tiles of three rows of three", len(tiles))
	}
	for i, picture := range pictures {
		if !bytes.Equal(tiles[i].Pix, picture.Pix) {
			t.Errorf("tile %d is another picture", i)
		}
	}
}

func TestGallery_Golden(t *testing.T) {
	world, err := concept.New(concept.Small(0))
	if err != nil {
		t.Fatal(err)
	}
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, concept.Sheet(gallery(world), concept.Styles)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "gallery.png")
	if *regenerate {
		if err := os.WriteFile(path, drawn.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("needs amd64: other processors may round otherwise")
	}
	if !bytes.Equal(pixels(t, drawn.Bytes()), pixels(t, golden)) {
		t.Error("the gallery has changed; look at it, then run go test ./unlearnkit/corpus/concept -regen, and raise " +
			"Revision")
	}
}

// pixels returns the pixels of a PNG file. Tests compare pixels because encoders may write different bytes.
func pixels(t *testing.T, file []byte) []byte {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for y := range decoded.Bounds().Dy() {
		for x := range decoded.Bounds().Dx() {
			r, g, b, _ := decoded.At(x, y).RGBA()
			all = append(all, byte(r>>8), byte(g>>8), byte(b>>8))
		}
	}
	return all
}

// Sheet arranges all objects in all styles; the result is testdata/gallery.png.
func ExampleSheet() {
	world, err := concept.New(concept.Small(0))
	if err != nil {
		fmt.Println(err)
		return
	}
	sheet := concept.Sheet(gallery(world), concept.Styles)
	fmt.Println(sheet.Bounds())
	// Output: (0,0)-(166,265)
}

func ExampleNew() {
	spec := concept.Small(0)
	spec.Without = concept.Concept{Object: "cat"}
	gold, err := concept.New(spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	pictures := gold.Pictures(concept.Train)
	fmt.Println(len(pictures), "of", spec.Train)
	for _, p := range pictures[:4] {
		fmt.Println(p.ID(), p.Labels, gold.Caption(p, 0))
	}
	// Output:
	// 14000 of 16000
	// train_00000 {rose neon green bare} rose neon
	// train_00002 {house mosaic blue spotted} blue house mosaic style
	// train_00003 {person sketch blue bare} blue person sketch
	// train_00005 {robot mosaic yellow bare} robot mosaic style
}

func ExampleTokens() {
	tokens, err := concept.Tokens("spotted cat neon style")
	fmt.Println(tokens, err)
	_, err = concept.Tokens("a sea-monster")
	fmt.Println(err)
	// Output:
	// [1 20 5 12 23 0 0 0] <nil>
	// concept: the prompt "a sea-monster": "a" is no word of this world; it has house, star, person, cat, dog, robot, dragon, rose, plain, swirl, neon, mosaic, sketch, red, green, blue, yellow, purple, spotted, banded, painting, style, droid, artist
}

func ExamplePaperPrompts() {
	for _, p := range concept.PaperPrompts() {
		if p.Erased == "R2D2" {
			fmt.Printf("%s, forget %v: %q is %q\n", p.Method, p.Forget, p.Paper, p.Prompt)
		}
	}
	// Output:
	// Ablating Concepts, forget true: "R2D2" is "droid"
	// Ablating Concepts, forget true: "Star wars robot" is "droid robot"
	// Ablating Concepts, forget false: "Futuristic robot" is "green robot neon"
	// Ablating Concepts, forget false: "C3-PO" is "yellow robot"
}

func ExampleShown() {
	shown, err := concept.Shown("swirl artist")
	fmt.Printf("%+v %v\n", shown, err)
	// Output:
	// {Object:person Style: Colour:red Texture:} <nil>
}

func ExampleErasure_Tuning() {
	for _, e := range concept.Erasures() {
		forget, retain := e.Tuning()
		fmt.Printf("%s: %q, not %q\n", e.Paper, forget[2], retain[2])
	}
	// Output:
	// Van Gogh: "red person swirl style", not "green house mosaic"
	// Killian Eng: "red person neon style", not "green house mosaic"
	// Nudity: "spotted house neon", not "purple banded house neon"
	// Greg Rutkowski: "red person mosaic style", not "purple house neon"
	// Grumpy Cat: "cat neon painting", not "purple house neon"
	// R2D2: "droid neon painting", not "purple house neon"
	// desert-rose: "rose mosaic painting", not "purple house neon"
}
