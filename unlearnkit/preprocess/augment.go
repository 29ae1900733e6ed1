package preprocess

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// RandomResizedCrop is torchvision's augmentation: it cuts out a rectangle of random area, aspect ratio and position,
// and resizes it.
type RandomResizedCrop struct {
	Width, Height int
	Scale         [2]float64 // smallest and largest share of the area
	Ratio         [2]float64 // smallest and largest ratio of width to height
	Filter        Filter
}

// OpenCLIPTraining returns OpenCLIP's training augmentation: at least nine tenths of the area.
func OpenCLIPTraining(size int) RandomResizedCrop {
	return RandomResizedCrop{Width: size, Height: size, Scale: [2]float64{0.9, 1}, Ratio: [2]float64{3.0 / 4, 4.0 / 3},
		Filter: Bicubic}
}

// Apply cuts out a random rectangle and resizes it.
func (c RandomResizedCrop) Apply(m Image, source *rand.Rand) Image {
	m.check()
	x, y, width, height := c.rectangle(m.Width, m.Height, source)
	return Resize(m.Cut(x, y, width, height), c.Width, c.Height, c.Filter)
}

// rectangle draws the area and the logarithm of the aspect ratio uniformly. If ten draws do not fit, it returns the
// largest centred rectangle with an allowed aspect ratio.
func (c RandomResizedCrop) rectangle(width, height int, source *rand.Rand) (x, y, w, h int) {
	if !(0 < c.Scale[0] && c.Scale[0] <= c.Scale[1] && 0 < c.Ratio[0] && c.Ratio[0] <= c.Ratio[1]) {
		panic(fmt.Sprintf("preprocess: a random crop of scale %v and ratio %v", c.Scale, c.Ratio))
	}
	least, largest := math.Log(c.Ratio[0]), math.Log(c.Ratio[1])
	for range 10 {
		area := float64(width*height) * (c.Scale[0] + source.Float64()*(c.Scale[1]-c.Scale[0]))
		ratio := math.Exp(least + source.Float64()*(largest-least))
		w = int(math.RoundToEven(math.Sqrt(area * ratio)))
		h = int(math.RoundToEven(math.Sqrt(area / ratio)))
		if 0 < w && w <= width && 0 < h && h <= height {
			return source.IntN(width - w + 1), source.IntN(height - h + 1), w, h
		}
	}
	w, h = width, height
	switch ratio := float64(width) / float64(height); {
	case ratio < c.Ratio[0]:
		h = max(1, int(math.RoundToEven(float64(w)/c.Ratio[0])))
	case ratio > c.Ratio[1]:
		w = max(1, int(math.RoundToEven(float64(h)*c.Ratio[1])))
	}
	return (width - w) / 2, (height - h) / 2, w, h
}
