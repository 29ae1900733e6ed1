package preprocess

import (
	"fmt"
	"math"
)

// A Filter weights neighbouring pixels in resizing. All filters except Nearest widen when they shrink an image, which
// avoids aliasing.
type Filter int

// The filters of Pillow.
const (
	Nearest Filter = iota
	Box
	Bilinear
	Hamming
	Bicubic
	Lanczos
)

// precisionBits is the number of fractional bits of a weight: 32 minus the bits of a pixel, minus two for the sign and
// for sums beyond the largest pixel.
const precisionBits = 32 - 8 - 2

// Resize returns the resized image with exactly the pixels of Pillow 13: weights are rounded to 22 fractional bits, and
// the result of the first of the two passes is rounded to bytes. The first pass is over the rows, or over the columns
// if the image loses more than twice as much height as width.
func Resize(m Image, width, height int, filter Filter) Image {
	if filter != Nearest && height < m.Height && m.Height-height > 2*(m.Width-width) {
		m = resizeRowsFirst(m, m.Width, height, filter)
	}
	return resizeRowsFirst(m, width, height, filter)
}

// resizeRowsFirst resizes as Pillow did up to version 12: the rows always come first (since 12.2 except in images a
// hundred times as high as wide). Some pixels differ from Resize's by one of 255.
func resizeRowsFirst(m Image, width, height int, filter Filter) Image {
	m.check()
	if width < 1 || height < 1 {
		panic(fmt.Sprintf("preprocess: resizing to %d×%d pixels", width, height))
	}
	if filter == Nearest {
		return nearest(m, width, height)
	}
	if width != m.Width {
		m = resizeRows(m, width, filter)
	}
	if height != m.Height {
		m = resizeColumns(m, height, filter)
	}
	return m
}

func nearest(m Image, width, height int) Image {
	columns, rows := nearestPositions(m.Width, width), nearestPositions(m.Height, height)
	resized := NewImage(width, height)
	for y, row := range rows {
		for x, column := range columns {
			copy(resized.Pixels[3*(y*width+x):3*(y*width+x)+3], m.Pixels[3*(row*m.Width+column):])
		}
	}
	return resized
}

// nearestPositions accumulates the step as Pillow does, so that rounding is the same.
func nearestPositions(from, to int) []int {
	step := float64(from) / float64(to)
	positions := make([]int, to)
	at := step * 0.5
	for i := range positions {
		positions[i] = min(int(at), from-1)
		at += step
	}
	return positions
}

// weights holds the weights of one output pixel for the input pixels from first on.
type weights struct {
	first  int
	values []int32
}

// filterWeights computes the weights of all output pixels of a row or column.
func filterWeights(from, to int, filter Filter) []weights {
	kernel, support := filter.kernel()
	scale := float64(from) / float64(to)
	widening := max(scale, 1)
	support *= widening
	all := make([]weights, to)
	for i := range all {
		center := float64((float64(i) + 0.5) * scale)
		first := max(0, int(center-support+0.5))
		last := min(from, int(center+support+0.5))
		exact := make([]float64, last-first)
		sum := 0.0
		for j := range exact {
			exact[j] = kernel(float64((float64(j+first) - center + 0.5) * (1 / widening)))
			sum += exact[j]
		}
		all[i] = weights{first, make([]int32, len(exact))}
		for j, w := range exact {
			if sum != 0 {
				w /= sum
			}
			all[i].values[j] = int32(math.Copysign(0.5, w) + float64(w*(1<<precisionBits)))
		}
	}
	return all
}

func resizeRows(m Image, width int, filter Filter) Image {
	resized := NewImage(width, m.Height)
	all := filterWeights(m.Width, width, filter)
	for y := range m.Height {
		row := m.Pixels[3*y*m.Width : 3*(y+1)*m.Width]
		for x, w := range all {
			r, g, b := int32(1<<(precisionBits-1)), int32(1<<(precisionBits-1)), int32(1<<(precisionBits-1))
			at := 3 * w.first
			for _, value := range w.values {
				r += int32(row[at]) * value
				g += int32(row[at+1]) * value
				b += int32(row[at+2]) * value
				at += 3
			}
			pixel := resized.Pixels[3*(y*width+x):]
			pixel[0], pixel[1], pixel[2] = clip(r), clip(g), clip(b)
		}
	}
	return resized
}

func resizeColumns(m Image, height int, filter Filter) Image {
	resized := NewImage(m.Width, height)
	stride := 3 * m.Width
	sums := make([]int32, stride)
	for y, w := range filterWeights(m.Height, height, filter) {
		for i := range sums {
			sums[i] = 1 << (precisionBits - 1)
		}
		for j, value := range w.values {
			row := m.Pixels[(w.first+j)*stride : (w.first+j+1)*stride]
			for i, pixel := range row {
				sums[i] += int32(pixel) * value
			}
		}
		for i, sum := range sums {
			resized.Pixels[y*stride+i] = clip(sum)
		}
	}
	return resized
}

func clip(sum int32) byte { return byte(min(max(sum>>precisionBits, 0), 255)) }

// kernel returns the filter's function and its support. The conversions prevent the fusion of products with sums, which
// would change the rounding.
func (f Filter) kernel() (func(float64) float64, float64) {
	switch f {
	case Box:
		return func(x float64) float64 {
			if x > -0.5 && x <= 0.5 {
				return 1
			}
			return 0
		}, 0.5
	case Bilinear:
		return func(x float64) float64 { return max(0, 1-math.Abs(x)) }, 1
	case Hamming:
		return hamming, 1
	case Bicubic:
		return bicubic, 2
	case Lanczos:
		return func(x float64) float64 {
			if x >= -3 && x < 3 {
				return sinc(x) * sinc(x/3)
			}
			return 0
		}, 3
	}
	panic(fmt.Sprintf("preprocess: no filter has the number %d", f))
}

func hamming(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x == 0:
		return 1
	case x >= 1:
		return 0
	}
	x *= math.Pi
	return math.Sin(x) / x * (0.54 + float64(0.46*math.Cos(x)))
}

// bicubic returns the weight of Keys' cubic convolution with a = -1/2.
func bicubic(x float64) float64 {
	const a = -0.5
	x = math.Abs(x)
	switch {
	case x < 1:
		return float64(float64((float64((a+2)*x)-(a+3))*x)*x) + 1
	case x < 2:
		return (float64((float64((x-5)*x)+8)*x) - 4) * a
	}
	return 0
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	x *= math.Pi
	return math.Sin(x) / x
}
