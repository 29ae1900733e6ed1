package profile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// options is the number of options of a multiple-choice question.
const options = 4

// Choice is a multiple-choice question about a picture of a person in the [Crowd]. It has four options, one of which is
// right.
type Choice struct {
	ID       string          `json:"id"`
	Person   int             `json:"person"`
	Picture  int             `json:"picture"`
	Split    Split           `json:"split"` // Train or Test, which use different people and templates
	Kind     string          `json:"kind"`
	Question string          `json:"question"`
	Options  [options]string `json:"options"`
	Answer   int             `json:"answer"` // index of the right option
}

// Letter returns the right option's letter.
func (c Choice) Letter() string { return string(rune('A' + c.Answer)) }

// Prompt returns the question, with the options on separate lines, and an instruction.
func (c Choice) Prompt() string {
	var b strings.Builder
	b.WriteString(c.Question)
	for i, option := range c.Options {
		fmt.Fprintf(&b, "\n%c. %s", 'A'+i, option)
	}
	b.WriteString("\nAnswer with the letter of the right option.")
	return b.String()
}

// Rotations returns four versions of the question, with the options rotated by zero to three positions. Circular
// scoring counts a question as right if all four answers are right; single-pass scoring uses only the first version.
func (c Choice) Rotations() [options]Choice {
	var all [options]Choice
	for by := range all {
		all[by] = c
		for i, option := range c.Options {
			all[by].Options[(i+by)%options] = option
		}
		all[by].Answer = (c.Answer + by) % options
	}
	return all
}

// subject is a kind of question. It returns the true property of a picture, and has the words for all answers and the
// wordings of the question. The last wording is used only in the test.
type subject struct {
	kind      string
	words     []string
	questions [3]string
	truth     func(persona.Sitter, persona.Sitting) string // answer, or "" if the picture does not show the property
}

var faces = []string{"glasses and a beard", "glasses but no beard", "a beard but no glasses",
	"neither glasses nor a beard"}

func subjects() []subject {
	var grounds []string
	for _, g := range layouts[Train].grounds {
		grounds = append(grounds, g.String())
	}
	return []subject{
		{"clothing colour", persona.ClothingColours(), [3]string{"What color is the shirt?",
			"Which color does the person wear?", "In which color is the person in the picture dressed?"},
			func(_ persona.Sitter, g persona.Sitting) string { return persona.ClothingColours()[g.Clothing] }},
		{"background colour", persona.GroundColours(), [3]string{"What color is the background?",
			"Before which color does the person stand?", "Which color is seen behind the person?"},
			func(_ persona.Sitter, g persona.Sitting) string { return persona.GroundColours()[g.GroundColour] }},
		{"background", grounds, [3]string{"What kind of background is it?", "How does the background look?",
			"How would you describe what is behind the person?"},
			func(_ persona.Sitter, g persona.Sitting) string { return g.Ground.String() }},
		{"hair colour", persona.HairColours(), [3]string{"What color is the hair?",
			"Which hair color does the person have?", "In what color is the hair of the person in the picture?"},
			func(s persona.Sitter, _ persona.Sitting) string { return s.HairColour() }},
		{"head", persona.Heads(), [3]string{"What is on the person's head?", "How does the head look?",
			"What do you see above the face?"},
			func(s persona.Sitter, _ persona.Sitting) string { return s.Head() }},
		{"face", faces, [3]string{"Does the person have glasses or a beard?", "What is there on the face?",
			"Which of these does the face show?"},
			func(s persona.Sitter, _ persona.Sitting) string {
				has := func(b bool) int {
					if b {
						return 0
					}
					return 1
				}
				return faces[2*has(s.Glasses())+has(s.Beard())]
			}},
	}
}

// Shown returns the number of possible answers to each kind of question.
func Shown() (words []int) {
	for _, s := range subjects() {
		words = append(words, len(s.words))
	}
	return words
}

// Choices returns multiple-choice questions for a split. Kinds of questions alternate, and each question has its own
// picture. The last fifth of the crowd is reserved for the test.
func (w *World) Choices(split Split, count int) ([]Choice, error) {
	first, behind, err := w.crowdOf(split)
	if err != nil {
		return nil, err
	}
	kinds := subjects()
	all := make([]Choice, count)
	for i := range all {
		source := seed.Stream(w.Spec.Shared, "profile", "choice", string(split), i)
		if all[i], err = w.Crowd.choice(source, kinds[i%len(kinds)], split, i, first, behind); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// crowdOf returns the indices of the first person of the crowd with questions of a split, and behind the last one.
func (w *World) crowdOf(split Split) (first, behind int, err error) {
	first, behind = 0, w.Crowd.Len()*4/5
	switch {
	case split == Test:
		first, behind = behind, w.Crowd.Len()
	case split != Train:
		return 0, 0, fmt.Errorf("profile: no questions about the crowd for %q; choose %s or %s", split, Train, Test)
	}
	if first == behind {
		return 0, 0, fmt.Errorf("profile: a crowd of %d is too small for questions; ask for 5 or more", w.Crowd.Len())
	}
	return first, behind, nil
}

// choicePictures is the index of the first picture for questions. Pictures with lower indices train the vision tower.
const choicePictures = 1 << 20

// choice draws random people until a picture shows an answer.
func (c *Crowd) choice(source *rand.Rand, s subject, split Split, number, first, behind int) (Choice, error) {
	q := Choice{ID: fmt.Sprintf("choice-%s-%05d", split, number), Split: split, Kind: s.kind,
		Picture: choicePictures + number, Question: s.questions[source.IntN(2)]}
	if split == Test {
		q.Question = s.questions[2]
	}
	truth := ""
	for tries := 0; truth == ""; tries++ {
		if tries == 1000 {
			return Choice{}, fmt.Errorf("profile: nobody of %d people can be asked about for %s; ask for a larger "+
				"crowd", behind-first, s.kind)
		}
		q.Person = first + source.IntN(behind-first)
		drawn := c.candidate(q.Person, q.Picture)
		truth = s.truth(drawn.sitter, drawn.sitting)
	}
	others := slices.DeleteFunc(slices.Clone(s.words), func(word string) bool { return word == truth })
	q.Answer = source.IntN(options)
	order := source.Perm(len(others))
	for i := range q.Options {
		if i == q.Answer {
			q.Options[i] = truth
			continue
		}
		q.Options[i], order = others[order[0]], order[1:]
	}
	return q, nil
}
