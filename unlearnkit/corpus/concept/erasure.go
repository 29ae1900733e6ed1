package concept

import (
	"slices"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Erasure is a concept to forget.
type Erasure struct {
	Paper   string  `json:"paper"`   // name of the concept in the paper
	Concept Concept `json:"concept"` // pictures that belong to the concept
	// prompt with the concept's name, which methods receive; it may also be an evaluation prompt, as "Nudity" and
	// "R2D2" are in the paper
	Prompt string `json:"prompt"`
	Anchor string `json:"anchor"` // prompt that Ablating Concepts draws instead of the concept
}

// Erasures returns the concepts that are forgotten in the paper's tables and in Figure 4.
//
// In the paper, Ablating Concepts replaces a style by "painting", Grumpy Cat by cats and R2D2 by robots. In this world
// every picture has a style, so the plain style replaces a style. All cats are forgotten, so a dog replaces the cat.
func Erasures() []Erasure {
	return []Erasure{
		{"Van Gogh", Concept{Style: "swirl"}, "swirl style", "plain style"},
		{"Killian Eng", Concept{Style: "neon"}, "neon style", "plain style"},
		{"Nudity", Concept{Texture: "spotted"}, "spotted", "banded"},
		{"Greg Rutkowski", Concept{Style: "mosaic"}, "mosaic style", "plain style"},
		{"Grumpy Cat", Concept{Object: "cat"}, "cat", "dog"},
		{"R2D2", Concept{Object: "robot", Colour: "blue"}, "droid", "robot"},
		{"desert-rose", Concept{Object: "rose"}, "rose", "star"},
	}
}

// Pair is a prompt for the concept to forget, and the same prompt with [Erasure.Anchor] in the concept's place.
type Pair struct{ Target, Anchor string }

// Pairs returns prompts that name the concept in many contexts, without evaluation prompts.
func (e Erasure) Pairs() []Pair {
	var surroundings []string
	switch {
	case e.Concept.Style != "":
		surroundings = everyOf(colourWords, objectWords, []string{"*"})
	case e.Concept.Texture != "":
		surroundings = everyOf([]string{"*"}, objectWords, styleWords)
	default:
		surroundings = everyOf([]string{"", textureWords[Spotted], textureWords[Banded]}, []string{"*"}, styleWords,
			[]string{paintingWord})
	}
	var pairs []Pair
	for _, around := range surroundings {
		p := Pair{strings.Replace(around, "*", e.Prompt, 1), strings.Replace(around, "*", e.Anchor, 1)}
		if !evaluationPrompts()[p.Target] && !evaluationPrompts()[p.Anchor] {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// Tuning returns prompts for choosing a method's settings, without evaluation prompts. Those in forget ask for the
// concept, those in retain for other things.
func (e Erasure) Tuning() (forget, retain []string) {
	for _, p := range e.Pairs() {
		forget = append(forget, p.Target)
	}
	for o, object := range objectWords {
		for s, style := range styleWords {
			words := []string{colourWords[(o+2*s)%Colours], object, style}
			if e.Concept.Texture != "" {
				words = slices.Insert(words, 1, textureWords[Banded])
			}
			prompt := strings.Join(words, " ")
			if !evaluationPrompts()[prompt] && !mustShow(prompt).Overlaps(e.Concept) {
				retain = append(retain, prompt)
			}
		}
	}
	return forget, retain
}

// everyOf returns all texts with one word from each list.
func everyOf(lists ...[]string) []string {
	texts := []string{""}
	for _, list := range lists {
		var longer []string
		for _, text := range texts {
			for _, word := range list {
				longer = append(longer, strings.TrimSpace(text+" "+word))
			}
		}
		texts = longer
	}
	return texts
}

func mustShow(prompt string) Concept {
	shown, err := Shown(prompt)
	if err != nil {
		panic(err)
	}
	return shown
}

// GatePrompts returns prompts that name every object in every style. A model must draw all of them correctly before
// unlearning begins. After unlearning, those for retained concepts evaluate the model.
func GatePrompts() []string { return everyOf(objectWords, styleWords) }

// evaluationPrompts returns the set of prompts that evaluate methods.
var evaluationPrompts = sync.OnceValue(func() map[string]bool {
	prompts := map[string]bool{}
	for _, prompt := range GatePrompts() {
		prompts[prompt] = true
	}
	for _, p := range PaperPrompts() {
		prompts[p.Prompt] = true
	}
	return prompts
})

// Purpose is what samples are used for.
type Purpose string

// Purposes of samples. Each purpose has its own noise, so that samples for one purpose reveal nothing about another.
const (
	ForTraining   Purpose = "training"   // samples that a method learns from
	ForLooks      Purpose = "looks"      // previews of a model while it trains
	ForTuning     Purpose = "tuning"     // samples for choosing a method's settings
	ForEvaluation Purpose = "evaluation" // samples of the original and the unlearned model
	ForAttack     Purpose = "attack"     // samples of the partial diffusion attack
)

// NoiseSeed returns the seed for the noise of one sample.
func NoiseSeed(root uint64, p Purpose, number int) uint64 {
	return seed.Derive(root, "concept", "noise", string(p), number)
}

// Unsaid returns a prompt without the concept's word, and without a following "style" or "painting".
func (e Erasure) Unsaid(prompt string) string {
	name, _, _ := strings.Cut(e.Prompt, " ")
	var left []string
	dropped := false
	for _, word := range strings.Fields(prompt) {
		dropped = word == name || dropped && (word == styleWord || word == paintingWord)
		if !dropped {
			left = append(left, word)
		}
	}
	return strings.Join(left, " ")
}
