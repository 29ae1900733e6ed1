package safefile

import "image"

// fromYCbCr converts the planes of a JPEG as libjpeg does: colors of half the resolution are interpolated (jdsample.c,
// "fancy upsampling"), while package image repeats them. They are converted to red, green and blue with 16 fractional
// bits (jdcolor.c).
func fromYCbCr(result *Image, planes *image.YCbCr) {
	up := upsamplingOf(planes)
	blue, red := make([]byte, result.Width+1), make([]byte, result.Width+1)
	for y := range result.Height {
		up.row(blue, planes.Cb, y)
		up.row(red, planes.Cr, y)
		luma := planes.Y[y*planes.YStride:]
		for x := range result.Width {
			brightness, cb, cr := int(luma[x]), int(blue[x])-128, int(red[x])-128
			pixel := result.Pix[3*(y*result.Width+x):]
			pixel[0] = clampByte(brightness + (91881*cr+1<<15)>>16)
			pixel[1] = clampByte(brightness + (-22554*cb-46802*cr+1<<15)>>16)
			pixel[2] = clampByte(brightness + (116130*cb+1<<15)>>16)
		}
	}
}

func clampByte(value int) byte { return byte(min(max(value, 0), 255)) }

// upsampling enlarges a color plane to the size of the image.
type upsampling struct {
	horizontal, vertical  int // number of pixels that share a color
	width, height, stride int // size of the plane
	sums                  []int
}

func upsamplingOf(planes *image.YCbCr) *upsampling {
	up := &upsampling{horizontal: 1, vertical: 1, stride: planes.CStride}
	switch planes.SubsampleRatio {
	case image.YCbCrSubsampleRatio422:
		up.horizontal = 2
	case image.YCbCrSubsampleRatio420:
		up.horizontal, up.vertical = 2, 2
	case image.YCbCrSubsampleRatio440:
		up.vertical = 2
	case image.YCbCrSubsampleRatio411:
		up.horizontal = 4
	case image.YCbCrSubsampleRatio410:
		up.horizontal, up.vertical = 4, 2
	}
	size := planes.Rect.Size()
	up.width, up.height = (size.X+up.horizontal-1)/up.horizontal, (size.Y+up.vertical-1)/up.vertical
	up.sums = make([]int, up.width)
	return up
}

// row writes row y of the image; dst has one pixel more than the image, because a plane's last color may extend beyond
// it.
func (up *upsampling) row(dst, plane []byte, y int) {
	line := func(i int) []byte { return plane[min(max(i, 0), up.height-1)*up.stride:] }
	near := line(y / up.vertical)
	far := line(y/up.vertical - 1 + 2*(y%up.vertical))
	switch {
	case up.horizontal == 2 && up.width > 2:
		if up.vertical == 1 {
			for i := range up.sums {
				up.sums[i] = int(near[i])
			}
			interpolate(dst, up.sums, 2, 1, 2)
			return
		}
		for i := range up.sums {
			up.sums[i] = 3*int(near[i]) + int(far[i])
		}
		interpolate(dst, up.sums, 4, 8, 7)
	case up.horizontal == 1 && up.vertical == 2:
		for i := range up.width {
			dst[i] = byte((3*int(near[i]) + int(far[i]) + 1 + y%2) >> 2)
		}
	default:
		for x := range len(dst) - 1 {
			dst[x] = near[x/up.horizontal]
		}
	}
}

// interpolate doubles a line: each new pixel is three quarters of its own color and a quarter of the nearer neighbour.
// The outermost pixels keep their color. Rounding alternates between the left and the right half.
func interpolate(dst []byte, line []int, bits, left, right int) {
	last := len(line) - 1
	for i, color := range line {
		before, after := line[max(i-1, 0)], line[min(i+1, last)]
		dst[2*i] = byte((3*color + before + left) >> bits)
		dst[2*i+1] = byte((3*color + after + right) >> bits)
	}
}

// fromCMYK converts inks as Pillow does (Convert.c, cmyk2rgb).
func fromCMYK(result *Image, inks *image.CMYK) {
	result.fill(func(x, y int) (r, g, b byte) {
		c := inks.CMYKAt(x, y)
		paper := 255 - int(c.K)
		mixed := func(ink byte) byte {
			product := int(ink)*paper + 128
			return clampByte(paper - (product>>8+product)>>8)
		}
		return mixed(c.C), mixed(c.M), mixed(c.Y)
	})
}
