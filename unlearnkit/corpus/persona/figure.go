package persona

// colour is red, green and blue.
type colour [3]uint8

// palette holds the colours of a sprite's coloured parts.
type palette struct {
	skin, clothing, hair colour
}

// figure is a stack of painted sprites: pixels with their colour multiplied by the opacity, one byte per channel with
// red lowest.
type figure struct {
	size   int
	pixels []uint32
	// rooted figures touch the lower edge: if a turn or a smaller scale would expose the cut, the last row is repeated.
	rooted bool
}

func newFigure(pictureSize int, rooted bool) *figure {
	size := spriteSize >> resolution(pictureSize)
	return &figure{size: size, pixels: make([]uint32, size*size), rooted: rooted}
}

// paint paints a sprite over the existing ones.
func (f *figure) paint(s *sprite, p palette) {
	for y := s.box.Min.Y; y < s.box.Max.Y; y++ {
		row := y * f.size
		for x := s.box.Min.X; x < s.box.Max.X; x++ {
			part := s.shares[row+x]
			if part.alpha == 0 {
				continue
			}
			below := f.pixels[row+x]
			var pixel uint32
			for channel := range 3 {
				own := uint32(part.skin)*uint32(p.skin[channel]) + uint32(part.clothing)*uint32(p.clothing[channel]) +
					uint32(part.hair)*uint32(p.hair[channel])
				under := (below >> (8 * channel) & 0xff) * uint32(255-part.alpha)
				pixel |= min(255, overByte(own+under)+uint32(part.white)) << (8 * channel)
			}
			alpha := uint32(part.alpha) + overByte((below>>24)*uint32(255-part.alpha))
			f.pixels[row+x] = pixel | min(255, alpha)<<24
		}
	}
}

// overByte divides by 255, rounding. It is exact up to 65,535 and at most one too small above.
func overByte(v uint32) uint32 {
	v += 128
	return (v + v>>8) >> 8
}

// lanes holds the four channels of a pixel, or sums of a few pixels, in 16 bits each: red, blue, green, alpha from the
// lowest.
type lanes struct {
	redBlue, greenAlpha uint32
}

const laneMask = 0x00ff00ff

// sample interpolates at a point given in 1/65536 of a pixel, with pixel centres at halves.
func (f *figure) sample(x, y int) lanes {
	x -= 1 << 15
	y -= 1 << 15
	left, top := x>>16, y>>16
	if left < -1 || left >= f.size || top < -1 || (top >= f.size && !f.rooted) {
		return lanes{}
	}
	upper, lower := f.row(top), f.row(top+1)
	p00, p01 := f.at(upper, left), f.at(upper, left+1)
	p10, p11 := f.at(lower, left), f.at(lower, left+1)
	if p00|p01|p10|p11 == 0 {
		return lanes{}
	}
	wx, wy := uint32(x>>8&0xff), uint32(y>>8&0xff)
	mix := func(a, b, w uint32) uint32 { return (a*(256-w) + b*w) >> 8 & laneMask }
	return lanes{
		redBlue:    mix(mix(p00&laneMask, p01&laneMask, wx), mix(p10&laneMask, p11&laneMask, wx), wy),
		greenAlpha: mix(mix(p00>>8&laneMask, p01>>8&laneMask, wx), mix(p10>>8&laneMask, p11>>8&laneMask, wx), wy),
	}
}

// row returns where a row of pixels starts, or a negative number for a transparent row.
func (f *figure) row(y int) int {
	switch {
	case y < 0:
		return -1
	case y < f.size:
		return y * f.size
	case f.rooted:
		return (f.size - 1) * f.size
	}
	return -1
}

func (f *figure) at(row, x int) uint32 {
	if row < 0 || x < 0 || x >= f.size {
		return 0
	}
	return f.pixels[row+x]
}
