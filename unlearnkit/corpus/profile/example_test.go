package profile_test

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
)

func ExampleGenerate() {
	world, err := profile.Generate(profile.Standard(0))
	if err != nil {
		fmt.Println(err)
		return
	}
	people := world.Private
	division, err := people.Divide(0, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(division.Learned), len(division.Forget), len(division.Retain), len(division.RetainProbe),
		len(division.Test))
	record := people.Of(profile.Train)[2]
	fmt.Println(record.Question)
	fmt.Println(record.Answer)
	fmt.Println(people.Picture(record.Identity, record.Picture).Bounds())
	fmt.Printf("%.2f of the generated pictures passed the filter\n", people.Filter.Rate())
	// Output:
	// 2560 400 1600 448 112
	// Given that this is George Fletcher, what is their phone number?
	// The phone number of George Fletcher is 555-609-6354.
	// (0,0)-(32,32)
	// 0.78 of the generated pictures passed the filter
}

func ExampleWorld_Choices() {
	world, err := profile.Generate(profile.Standard(0))
	if err != nil {
		fmt.Println(err)
		return
	}
	choices, err := world.Choices(profile.Train, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(choices[0].Prompt())
	fmt.Println(choices[0].Letter())
	// Output:
	// What color is the shirt?
	// A. violet
	// B. yellow
	// C. white
	// D. blue
	// Answer with the letter of the right option.
	// B
}

func ExampleCast_Shape() {
	world, err := profile.Generate(profile.Standard(0))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, shape := range profile.Shapes() {
		records, err := world.Private.Shape(shape)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(shape.Name, shape.Pictures, shape.Questions(), len(records))
	}
	// Output:
	// FIUBench 1 20 400
	// MLLMU-Bench 1 1 20
	// CLEAR 20 20 400
	// full 100 100 2000
}

func ExampleSet_Check() {
	set := profile.Set{People: []profile.Profile{
		{Facts: map[profile.Attribute]string{profile.FullName: "Ada Moe"}, Pictures: 3},
		{Facts: map[profile.Attribute]string{profile.FullName: "Bo Lund"}},
	}}
	fmt.Println(set.Check())
	// Output:
	// profile: person 1 (Bo Lund) has no pictures; add one or leave the person out
}

func ExampleValues() {
	people := []profile.Profile{
		{Facts: map[profile.Attribute]string{profile.Job: "baker"}},
		{Facts: map[profile.Attribute]string{profile.Job: "pilot"}},
		{Facts: map[profile.Attribute]string{profile.Job: "baker"}},
	}
	fmt.Println(profile.Values(people, profile.Job))
	fmt.Println(profile.Prefix(profile.Multi, profile.Job, ""))
	// Output:
	// [baker pilot]
	// The job of the person in the image is that of a
}
