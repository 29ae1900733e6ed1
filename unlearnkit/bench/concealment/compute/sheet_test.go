package compute

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
)

func TestALimitedPictureIsTheSameWhereItsColoursAreFewAndNearWhereTheyAreMany(t *testing.T) {
	world, err := open(tinyWorld)
	if err != nil {
		t.Fatal(err)
	}
	var pictures []*image.NRGBA
	for _, picture := range world.Pictures(concept.Train)[:16] {
		pictures = append(pictures, world.Image(picture))
	}
	sheet := concept.Sheet(pictures, 4)
	drawn := limited(sheet, sheetColours)
	if len(drawn.Palette) != sheetColours {
		t.Errorf("%d colours", len(drawn.Palette))
	}
	off := 0.
	for i := range drawn.Pix {
		x, y := i%drawn.Stride, i/drawn.Stride
		a, b := sheet.NRGBAAt(x, y), drawn.At(x, y)
		r, g, blue, _ := b.RGBA()
		for _, pair := range [][2]int{{int(a.R), int(r >> 8)}, {int(a.G), int(g >> 8)}, {int(a.B), int(blue >> 8)}} {
			off += float64((pair[0]-pair[1])*(pair[0]-pair[1])) / float64(3*len(drawn.Pix))
		}
	}
	if off > 200 { // 14 of 255 as a root mean square; a single colour is off by thousands
		t.Errorf("a mean squared error of %.0f", off)
	}
	two := image.NewNRGBA(sheet.Rect)
	for i := range two.Pix {
		two.Pix[i] = 255
		if i/4%3 == 0 && i%4 < 3 {
			two.Pix[i] = 7
		}
	}
	few := limited(two, sheetColours)
	if len(few.Palette) != 2 {
		t.Errorf("%d colours of 2", len(few.Palette))
	}
	for i := range few.Pix {
		x, y := i%few.Stride, i/few.Stride
		if r, _, _, _ := few.At(x, y).RGBA(); uint8(r>>8) != two.NRGBAAt(x, y).R {
			t.Fatalf("the colour at %d, %d is another", x, y)
		}
	}
}

func TestAStripHasAColumnForEveryRatio(t *testing.T) {
	s, spec := onScene(t), tinyAttack()
	attacked, err := s.attack(t, newLab(t), spec, s.other)
	if err != nil {
		t.Fatal(err)
	}
	for name, tiles := range map[string]image.Point{concealment.StripSheet: {len(spec.Psi), 2},
		concealment.OriginalSheet: {5, 2}, concealment.UnlearnedSheet: {5, 2}} {
		file, err := os.Open(filepath.Join(attacked.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(file)
		file.Close()
		if err != nil || config.Width != 33*tiles.X+1 || config.Height != 33*tiles.Y+1 {
			t.Errorf("%s is %d×%d, %v", name, config.Width, config.Height, err)
		}
	}
}
