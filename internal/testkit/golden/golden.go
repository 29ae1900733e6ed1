// Package golden compares figures with stored pictures. Examples that make a figure end with it, so each of them is
// also a golden test.
package golden

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// Regenerate is the flag that makes tests write golden files before they compare with them.
var Regenerate = flag.Bool("regen", false, "write the golden files in testdata anew")

// Compare draws a figure in every theme, compares it with its golden picture in the tested package's testdata, and
// prints the result. err is the error from making the figure.
func Compare(name string, spec *chart.Figure, err error) {
	figure, err := plots.Draw(spec, err)
	if err != nil {
		fmt.Println(name+":", err)
		return
	}
	for _, t := range theme.Themes {
		var content bytes.Buffer
		if err := figure.In(t).WritePNG(&content, figure.Width, figure.Height, 96); err != nil {
			fmt.Println(name+":", err)
			return
		}
		picture := content.Bytes()
		path := filepath.Join("testdata", name+"-"+t.Name+".png")
		if *Regenerate {
			if err := os.WriteFile(path, picture, 0o644); err != nil {
				fmt.Println(err)
			}
		}
		golden, err := os.ReadFile(path)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s: %s\n", filepath.Base(path), verdict(golden, picture))
	}
}

// verdict compares two pictures. It tolerates the changes at the edges of shapes that fused multiply-add causes on
// other processors.
func verdict(golden, picture []byte) string {
	const tolerated = .0002
	share, err := differing(golden, picture)
	switch {
	case err != nil:
		return err.Error()
	case share > tolerated:
		return fmt.Sprintf("%.2f %% of the pixels differ; look at the change, then run its test with -regen",
			100*share)
	}
	return "as drawn before"
}

// differing returns the share of pixels that differ visibly.
func differing(a, b []byte) (float64, error) {
	first, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		return 0, err
	}
	second, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return 0, err
	}
	if first.Bounds() != second.Bounds() {
		return 0, fmt.Errorf("the size was %v and is %v", first.Bounds().Size(), second.Bounds().Size())
	}
	return differingPixels(first, second), nil
}

func differingPixels(a, b image.Image) float64 {
	const visible = 24
	far := func(x, y uint8) bool { return max(x, y)-min(x, y) > visible }
	box := a.Bounds()
	count := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			p, q := color.NRGBAModel.Convert(a.At(x, y)).(color.NRGBA),
				color.NRGBAModel.Convert(b.At(x, y)).(color.NRGBA)
			if far(p.R, q.R) || far(p.G, q.G) || far(p.B, q.B) {
				count++
			}
		}
	}
	return float64(count) / float64(box.Dx()*box.Dy())
}
