package preprocess

import (
	"fmt"
	"math"
	"slices"
)

// A Size configures the resizing of a Transform.
type Size struct {
	Shorter       int // length of the shorter side; the longer keeps the proportion, rounded down
	Width, Height int // lengths of the sides if Shorter is 0; if all are 0, the image keeps its size
	Filter        Filter
}

// Transform is a model's image processor with these steps: pad to a square, resize, crop the centre, scale to [0, 1]
// and standardise.
type Transform struct {
	Square     bool    // pad to a square with Background first
	Background [3]byte // colour of the padding
	Size       Size
	Crop       int      // side of the square centre crop, 0 for none
	CropRule   CropRule // centre if the margin is odd
	Mean       [3]float32
	Deviation  [3]float32
}

// Means and standard deviations of the colours in models' training.
var (
	CLIPMean          = [3]float32{0.48145466, 0.4578275, 0.40821073}
	CLIPDeviation     = [3]float32{0.26862954, 0.26130258, 0.27577711}
	imageNetMean      = [3]float32{0.485, 0.456, 0.406}
	imageNetDeviation = [3]float32{0.229, 0.224, 0.225}
)

// OpenCLIP returns the evaluation transform of OpenCLIP models of a square size.
func OpenCLIP(size int) Transform {
	return Transform{Size: Size{Shorter: size, Filter: Bicubic}, Crop: size, CropRule: Torchvision, Mean: CLIPMean,
		Deviation: CLIPDeviation}
}

// CLIPImageProcessor returns the transform of transformers' CLIPImageProcessorPil, for CLIP and, with size 336, LLaVA
// 1.5 models. The faster class that version 5 of transformers prefers resizes tensors by other arithmetic; its pixels
// differ by at most one or two of 255.
func CLIPImageProcessor(size int) Transform {
	t := OpenCLIP(size)
	t.CropRule = HuggingFace
	return t
}

// PaddedLLaVA returns the transform of the original LLaVA's image_aspect_ratio "pad": the image is placed on a square
// of CLIP's mean colour, so that nothing is cropped.
func PaddedLLaVA(size int) Transform {
	t := CLIPImageProcessor(size)
	t.Square = true
	for i, mean := range []float64{0.48145466, 0.4578275, 0.40821073} {
		t.Background[i] = byte(mean * 255)
	}
	return t
}

// ImageNet returns torchvision's transform for its classifiers: resize the shorter side to 256 and crop 224, or another
// pair of sizes.
func ImageNet(resize, crop int) Transform {
	return Transform{Size: Size{Shorter: resize, Filter: Bilinear}, Crop: crop, CropRule: Torchvision,
		Mean: imageNetMean, Deviation: imageNetDeviation}
}

// Diffusion returns the transform of diffusers' VaeImageProcessor: the image is stretched to the size and scaled to
// [-1, 1].
func Diffusion(width, height int) Transform {
	half := [3]float32{0.5, 0.5, 0.5}
	return Transform{Size: Size{Width: width, Height: height, Filter: Lanczos}, Mean: half, Deviation: half}
}

// Apply returns the values of the image plane by plane, red first, and their width and height.
func (t Transform) Apply(m Image) (values []float32, width, height int) {
	if slices.Contains(t.Deviation[:], 0) {
		panic("preprocess: a transform whose standard deviation is zero")
	}
	m = t.Picture(m)
	pixels := m.Width * m.Height
	values = make([]float32, 3*pixels)
	for channel := range 3 {
		plane := values[channel*pixels : (channel+1)*pixels]
		for i := range plane {
			plane[i] = (float32(m.Pixels[3*i+channel])/255 - t.Mean[channel]) / t.Deviation[channel]
		}
	}
	return values, m.Width, m.Height
}

// Picture applies the steps whose result is a picture that can be viewed.
func (t Transform) Picture(m Image) Image {
	m.check()
	if t.Square {
		m = m.PadToSquare(t.Background)
	}
	switch {
	case t.Size.Shorter > 0:
		width, height := shorterSide(m.Width, m.Height, t.Size.Shorter)
		m = Resize(m, width, height, t.Size.Filter)
	case t.Size.Width > 0:
		m = Resize(m, t.Size.Width, t.Size.Height, t.Size.Filter)
	}
	if t.Crop > 0 {
		m = centerCrop(m, t.Crop, t.Crop, t.CropRule)
	}
	return m
}

// Batch applies the transform to images, whose results must have equal sizes. It returns their values in order, and the
// shape: images, channels, height, width.
func (t Transform) Batch(images []Image) (values []float32, shape [4]int, err error) {
	for i, m := range images {
		one, width, height := t.Apply(m)
		if i == 0 {
			shape = [4]int{len(images), 3, height, width}
		}
		if height != shape[2] || width != shape[3] {
			return nil, [4]int{}, fmt.Errorf("image %d is %d×%d pixels after its transform, image 0 %d×%d; give the "+
				"transform a crop or a fixed size", i, width, height, shape[3], shape[2])
		}
		values = append(values, one...)
	}
	return values, shape, nil
}

// shorterSide returns the size of an image after resizing its shorter side to side.
func shorterSide(width, height, side int) (int, int) {
	if width <= height {
		return side, int(float64(side*height) / float64(width))
	}
	return int(float64(side*width) / float64(height)), side
}

// A CropRule decides the centre if it is between two pixels.
type CropRule int

const (
	// Torchvision rounds half of the margin to even. It pads a small image with the smaller half before the image.
	Torchvision CropRule = iota
	// HuggingFace rounds half of the margin down. It pads a small image with the larger half before the image.
	HuggingFace
)

// centerCrop crops the centre of an image. A smaller image is padded with black.
func centerCrop(m Image, width, height int, rule CropRule) Image {
	return m.Cut(rule.margin(m.Width, width), rule.margin(m.Height, height), width, height)
}

// margin returns the number of pixels cut before the centre, negative if pixels are added.
func (rule CropRule) margin(from, to int) int {
	rest := from - to
	switch {
	case rule == HuggingFace:
		return int(math.Floor(float64(rest) / 2))
	case rest < 0:
		return -(-rest / 2)
	}
	return int(math.RoundToEven(float64(rest) / 2))
}
