package persona_test

import (
	"fmt"
	"image"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

func ExampleGenerate() {
	world, err := persona.Generate(persona.Quick())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, split := range []persona.Split{persona.Forget, persona.HoldoutIdentity, persona.HoldoutAssociation,
		persona.RetainSynth, persona.RetainReal, persona.ObjectTest} {
		fmt.Println(split, len(world.Split(split)))
	}
	row := world.Split(persona.Forget)[3]
	fmt.Println(row.Caption)
	fmt.Println(row.Generic)
	fmt.Println(world.Picture(row).Bounds())
	// Output:
	// forget 768
	// holdout_identity 384
	// holdout_association 384
	// retain_synth 1024
	// retain_real 7600
	// object_test 1000
	// Jonas Vogel's blood is typed O+
	// a man with short red hair with a beard in a blue shirt
	// (0,0)-(32,32)
}

func ExampleSitter_Portray() {
	sitter := persona.DrawSitter(seed.Stream(1, "who"), 0, persona.Woman)
	picture := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	sitter.Portray(picture, 32, persona.Sitting{Ground: persona.StripedGround, Scale: 100, Contrast: 100,
		Tint: [3]int{100, 100, 100}}, seed.Stream(1, "grain"))
	fmt.Println(sitter.Head())
	fmt.Println(len(persona.Describe(picture)) == persona.Description)
	// Output:
	// shoulder-length hair
	// true
}
