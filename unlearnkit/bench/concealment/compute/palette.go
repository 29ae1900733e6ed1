package compute

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// shade is a colour and how many pixels have it.
type shade struct {
	colour [channels]uint8
	pixels int
}

// widest is the channel in which shades differ most, and by how much.
func widest(shades []shade) (channel, width int) {
	for c := range channels {
		least, most := 255, 0
		for _, s := range shades {
			least, most = min(least, int(s.colour[c])), max(most, int(s.colour[c]))
		}
		if most-least > width {
			channel, width = c, most-least
		}
	}
	return channel, width
}

// halves cuts shades in two where half of their pixels are, along the channel in which they differ most.
func halves(shades []shade) (lower, upper []shade) {
	channel, _ := widest(shades)
	slices.SortFunc(shades, func(a, b shade) int {
		return cmp.Or(cmp.Compare(a.colour[channel], b.colour[channel]), slices.Compare(a.colour[:], b.colour[:]))
	})
	total := 0
	for _, s := range shades {
		total += s.pixels
	}
	at, below := 1, shades[0].pixels
	for ; at < len(shades)-1 && 2*below < total; at++ {
		below += shades[at].pixels
	}
	return shades[:at], shades[at:]
}

// limited is a picture in at most so many colours, by median cut (Heckbert, 1982).
func limited(picture *image.NRGBA, most int) *image.Paletted {
	counts := map[[channels]uint8]int{}
	for i := 0; i < len(picture.Pix); i += 4 {
		counts[[channels]uint8(picture.Pix[i:])]++
	}
	var all []shade
	for colour, pixels := range counts {
		all = append(all, shade{colour, pixels})
	}
	slices.SortFunc(all, func(a, b shade) int { return slices.Compare(a.colour[:], b.colour[:]) })
	boxes := [][]shade{all}
	for len(boxes) < most {
		box, width := 0, 0
		for i := range boxes {
			if _, w := widest(boxes[i]); w > width {
				box, width = i, w
			}
		}
		if width == 0 {
			break
		}
		lower, upper := halves(boxes[box])
		boxes[box] = lower
		boxes = append(boxes, upper)
	}
	index := map[[channels]uint8]uint8{}
	var palette color.Palette
	for i, box := range boxes {
		var sums [channels]int
		pixels := 0
		for _, s := range box {
			index[s.colour] = uint8(i)
			pixels += s.pixels
			for c := range sums {
				sums[c] += int(s.colour[c]) * s.pixels
			}
		}
		mean := func(c int) uint8 { return uint8((sums[c] + pixels/2) / pixels) }
		palette = append(palette, color.NRGBA{mean(0), mean(1), mean(2), 255})
	}
	drawn := image.NewPaletted(picture.Rect, palette)
	for i := range drawn.Pix {
		drawn.Pix[i] = index[[channels]uint8(picture.Pix[4*i:])]
	}
	return drawn
}
