package persona

// colour is red, green and blue.
type colour [3]uint8

// palette holds the colours of a sprite's variable parts.
type palette struct {
	skin, clothing, hair colour
}

// figure is the result of painting sprites over each other. Its pixels hold colours multiplied by their opacity, one
// byte per channel with red lowest.
type figure struct {
	size   int
	pixels []uint32
	// rooted figures extend to the lower edge of the picture. If turning or shrinking would expose their end, the last
	// row is repeated.
	rooted bool
}

func newFigure(pictureSize int, rooted bool) *figure {
	size := spriteSize >> resolution(pictureSize)
	return &figure{size: size, pixels: make([]uint32, size*size), rooted: rooted}
}

// paint paints a sprite over those already painted.
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

// overByte returns v/255, rounded. It is exact up to 65,535; above that, it may be one too small.
func overByte(v uint32) uint32 {
	v += 128
	return (v + v>>8) >> 8
}

// lanes holds four channels of a pixel, or sums over a few pixels, in 16 bits each. From the lowest bits, the channels
// are red, blue, green and alpha.
type lanes struct {
	redBlue, greenAlpha uint32
}

const laneMask = 0x00ff00ff

// sample interpolates between pixels at a point, given in units of 1/65536 pixel. Pixel centres are at half integers.
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

// row returns the index at which a row of pixels starts, or -1 for a transparent row.
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
