package concept

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVocabulary_Small(t *testing.T) {
	words := Vocabulary()
	if len(words) != 26 || words[paddingToken] != "<padding>" || words[beginToken] != "<begin>" {
		t.Errorf("%d words: %q", len(words), words)
	}
	if sorted := slices.Sorted(slices.Values(words)); len(slices.Compact(sorted)) != len(words) {
		t.Error("a word occurs twice")
	}
}

func TestPrompt_Tokens(t *testing.T) {
	at := func(word string) int32 { return int32(slices.Index(vocabulary, word)) }
	for prompt, want := range map[string][]int32{
		"":                            {1, 0, 0, 0, 0, 0, 0, 0},
		"cat":                         {1, at("cat"), 0, 0, 0, 0, 0, 0},
		" A":                          nil,
		"Red cat,  swirl PAINTING":    {1, at("red"), at("cat"), at("swirl"), at("painting"), 0, 0, 0},
		"cat cat cat cat cat cat cat": {1, at("cat"), at("cat"), at("cat"), at("cat"), at("cat"), at("cat"), at("cat")},
	} {
		got, err := Tokens(prompt)
		if diff := cmp.Diff(want, got); diff != "" || (err != nil) != (want == nil) {
			t.Errorf("%q: %v, %v, want %v", prompt, got, err, want)
		}
	}
}

func TestPrompt_Refused(t *testing.T) {
	for prompt, want := range map[string]string{
		strings.Repeat("cat ", 8):   "has 8 words; at most 7 are read",
		strings.Repeat("cat ", 500): "has 500 words; at most 7 are read",
		"a cat":                     `"a" is no word of this world; it has house, star,`,
		"<padding>":                 `"<padding>" is no word`,
		"bare cat":                  `"bare" is no word`,
		"cat\nhorse":                `"horse" is no word`,
		strings.Repeat("a", 1<<20):  "is no word",
		"cat dog":                   "asks for both cat and dog; choose one",
		"red droid":                 "asks for both red and blue",
		"neon cat swirl style":      "asks for both neon and swirl",
		"spotted banded":            "asks for both spotted and banded",
	} {
		_, err := Shown(prompt)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") ||
			len(err.Error()) > 400 {
			t.Errorf("%.40q: %v, want one line with %q", prompt, err, want)
		}
	}
}

func TestPrompt_Shows(t *testing.T) {
	for prompt, want := range map[string]Concept{
		"":                                    {},
		"painting":                            {},
		"neon style":                          {Style: "neon"},
		"green spotted person mosaic":         {Object: "person", Style: "mosaic", Colour: "green", Texture: "spotted"},
		"droid":                               {Object: "robot", Colour: "blue"},
		"banded droid robot neon":             {Object: "robot", Style: "neon", Colour: "blue", Texture: "banded"},
		"swirl artist":                        {Object: "person", Colour: "red"},
		"artist":                              {Object: "person", Colour: "red"},
		"swirl artist neon style":             {Object: "person", Style: "neon", Colour: "red"},
		"spotted swirl artist swirl painting": {Object: "person", Style: "swirl", Colour: "red", Texture: "spotted"},
		"artist swirl":                        {Object: "person", Style: "swirl", Colour: "red"},
	} {
		if got, err := Shown(prompt); got != want || err != nil {
			t.Errorf("%q shows %+v, %v, want %+v", prompt, got, err, want)
		}
	}
}

// Captions are true, and mention properties with the given probabilities.
func TestCaptions_True(t *testing.T) {
	w := newWorld(t, Small(1))
	pictures := w.Pictures(Train)[:8000]
	said := map[string]float64{}
	total := map[string]float64{}
	count := func(what string, possible, is bool) {
		if possible {
			total[what]++
			if is {
				said[what]++
			}
		}
	}
	for _, p := range pictures {
		text := w.Caption(p, 0)
		words := strings.Fields(text)
		if len(words) == 0 || len(words) > ContextLength-1 {
			t.Fatalf("%s: the caption %q has %d words", p.ID(), text, len(words))
		}
		shown := mustShow(text)
		if !shown.Covers(p.Labels) {
			t.Fatalf("%s shows %+v, its caption is %q", p.ID(), p.Labels, text)
		}
		aliased := slices.Contains(words, droidWord) || slices.Contains(words, artistWord)
		named := len(aliasesOf(p.Labels)) > 0
		count("alias", named, aliased)
		count("colour", !named, shown.Colour != "")
		count("texture", p.Labels.Texture != Bare, shown.Texture != "")
		count("object", !named, shown.Object != "")
		count("style", len(words) > 1, shown.Style != "")
		count("painting", shown.Style != "", slices.Contains(words, paintingWord))
		count("style word", shown.Style != "", slices.Contains(words, styleWord))
	}
	for what, want := range map[string]float64{
		"alias": sayAlias, "colour": sayColour, "texture": sayTexture, "object": sayObject, "style": sayStyle,
		"painting": sayPainting, "style word": sayStyled,
	} {
		if share := said[what] / total[what]; share < want-.05 || share > want+.05 {
			t.Errorf("%s is said in %.3f of %g captions that could, want about %g", what, share, total[what], want)
		}
	}
}

func TestCaptions_EachShowing(t *testing.T) {
	w := newWorld(t, few())
	different := 0
	for _, p := range w.Pictures(Train)[:50] {
		first, second, again := w.Caption(p, 0), w.Caption(p, 1), w.Caption(p, 0)
		if first != second {
			different++
		}
		if first != again {
			t.Errorf("%s: one showing has two captions", p.ID())
		}
	}
	if different < 25 {
		t.Errorf("of 50 pictures only %d have another caption when shown again", different)
	}
}
