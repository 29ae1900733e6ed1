package preprocess_test

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
)

func ExampleTransform_Batch() {
	photo := preprocess.NewImage(640, 480)
	values, shape, err := preprocess.OpenCLIP(224).Batch([]preprocess.Image{photo})
	fmt.Println(len(values), shape, err)
	fmt.Printf("%.4f\n", values[0])
	// Output:
	// 150528 [1 3 224 224] <nil>
	// -1.7923
}

func ExampleSpeech() {
	stereo := [][]float32{{0.5, 0.25, 0, -0.25}, {0.5, 0.25, 0, -0.25}}
	mono, _ := preprocess.Mono(stereo)
	slower, _ := preprocess.Resample(mono, 8000, preprocess.SpeechRate)
	values := preprocess.Speech{Length: 10, Masked: true}.Apply(slower)
	fmt.Println(len(slower), len(values), values[9])
	// Output: 8 10 0
}

func ExampleResize() {
	m := preprocess.Image{Width: 2, Height: 1, Pixels: []byte{0, 0, 0, 255, 255, 255}}
	fmt.Println(preprocess.Resize(m, 4, 1, preprocess.Bilinear).Pixels)
	// Output: [0 0 0 64 64 64 191 191 191 255 255 255]
}
