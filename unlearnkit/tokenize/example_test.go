package tokenize_test

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
)

func ExampleOpenCLIP() {
	clip := tokenize.OpenCLIP()
	ids := clip.Encode("A photo of a “cat” &amp; a dog")
	fmt.Println(ids)
	fmt.Printf("%q\n", clip.Decode(ids))
	fmt.Println(clip.Context("a cat", 6))
	// Output:
	// [320 1125 539 320 257 2368 257 261 320 1929]
	// "a photo of a \" cat \" & a dog "
	// [49406 320 2368 49407 0 0]
}

func ExampleTransformersCLIP() {
	prompt := tokenize.TransformersCLIP()
	fmt.Println(prompt.Context("a painting of a horse", 9, tokenize.OpenCLIP().End()))
	// Output: [49406 320 3086 539 320 4558 49407 49407 49407]
}

func ExampleLoad() {
	tokenizer, err := tokenize.Load("testdata/sp_bpe.model")
	if err != nil {
		fmt.Println(err)
		return
	}
	ids := tokenizer.Encode("the person in the image")
	fmt.Println(len(ids), tokenizer.Decode(ids))
	// Output: 11 the person in the image
}

func ExampleTrainBPE() {
	texts := []string{"his phone number is 0155 2368", "her phone number is 0171 9900", "the phone rings"}
	tokenizer, err := tokenize.TrainBPE(texts,
		tokenize.Training{Size: 400, Start: "<start>", End: "<end>", DigitPairs: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range tokenizer.EncodeFramed("phone number 0155") {
		fmt.Printf("%s ", tokenizer.Token(id))
	}
	fmt.Println()
	// Output: <start> pho ne Ġnumber Ġ 01 55 <end>
}
