// Package palette reduces the colours of pictures.
package palette

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// number of channels of an opaque colour
const channels = 3

type colour [channels]uint8

// shade is a colour and its number of pixels.
type shade struct {
	colour colour
	pixels int
}

// Limited reduces an opaque picture to at most most colours, which is 256 or fewer, by median cut (Heckbert, 1982).
// Each round then moves every colour to the mean of the pixels nearest to it (Lloyd, 1982). A picture without more
// colours keeps its pixels.
func Limited(picture *image.NRGBA, most, rounds int) *image.Paletted {
	shades := shadesOf(picture)
	boxes := [][]shade{slices.Clone(shades)}
	for len(boxes) < most {
		box, width := 0, 0
		for i := range boxes {
			if _, w := widest(boxes[i]); w > width {
				box, width = i, w
			}
		}
		if width == 0 {
			rounds = 0 // no colours were merged
			break
		}
		lower, upper := halves(boxes[box])
		boxes[box] = lower
		boxes = append(boxes, upper)
	}
	index, colours := map[colour]uint8{}, make([]colour, len(boxes))
	for i, box := range boxes {
		colours[i] = mean(box)
		for _, s := range box {
			index[s.colour] = uint8(i)
		}
	}
	for range rounds {
		near := make([][]shade, len(colours))
		for _, s := range shades {
			at := nearest(colours, s.colour)
			index[s.colour], near[at] = uint8(at), append(near[at], s)
		}
		for i, group := range near {
			if len(group) > 0 {
				colours[i] = mean(group)
			}
		}
	}
	var palette color.Palette
	for _, c := range colours {
		palette = append(palette, color.NRGBA{c[0], c[1], c[2], 255})
	}
	drawn := image.NewPaletted(picture.Rect, palette)
	var last colour
	at := index[last]
	each(picture, func(i int, c colour) {
		if c != last { // most pixels equal the previous one
			last, at = c, index[c]
		}
		drawn.Pix[i] = at
	})
	return drawn
}

// Error returns the mean squared difference per channel between a picture and its reduction. Channels have values to
// 255.
func Error(picture *image.NRGBA, limited *image.Paletted) float64 {
	sum := 0
	each(picture, func(i int, c colour) {
		other := limited.Palette[limited.Pix[i]].(color.NRGBA)
		sum += squaredDistance(c, colour{other.R, other.G, other.B})
	})
	return float64(sum) / float64(channels*len(limited.Pix))
}

// each calls visit with each pixel's index and colour, row by row.
func each(picture *image.NRGBA, visit func(i int, c colour)) {
	size := picture.Rect.Size()
	for y := range size.Y {
		row := picture.Pix[y*picture.Stride:]
		for x := range size.X {
			visit(y*size.X+x, colour(row[4*x:]))
		}
	}
}

// shadesOf returns a picture's colours, sorted.
func shadesOf(picture *image.NRGBA) (shades []shade) {
	counts := map[colour]int{}
	var last colour
	run := 0 // pixels of the last colour that have not been counted
	each(picture, func(_ int, c colour) {
		if c != last {
			counts[last] += run
			last, run = c, 0
		}
		run++
	})
	counts[last] += run
	for c, pixels := range counts {
		if pixels > 0 {
			shades = append(shades, shade{c, pixels})
		}
	}
	slices.SortFunc(shades, func(a, b shade) int { return slices.Compare(a.colour[:], b.colour[:]) })
	return shades
}

// widest returns the channel in which shades differ most, and the difference.
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

// halves splits shades at the median pixel of the channel in which they differ most.
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

// mean returns the mean colour of all pixels of shades, rounded.
func mean(shades []shade) (m colour) {
	var sums [channels]int
	pixels := 0
	for _, s := range shades {
		pixels += s.pixels
		for c := range sums {
			sums[c] += int(s.colour[c]) * s.pixels
		}
	}
	for c := range m {
		m[c] = uint8((sums[c] + pixels/2) / pixels)
	}
	return m
}

func nearest(colours []colour, c colour) (at int) {
	least := channels * 255 * 255
	for i, other := range colours {
		if d := squaredDistance(c, other); d < least {
			at, least = i, d
		}
	}
	return at
}

func squaredDistance(a, b colour) int {
	d0, d1, d2 := int(a[0])-int(b[0]), int(a[1])-int(b[1]), int(a[2])-int(b[2])
	return d0*d0 + d1*d1 + d2*d2
}
