package salmu

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func (theStudy) About() string {
	return "CLIP learns which picture goes with which caption, and on the way who has which phone number. The " +
		"paper asks whether nine methods can take such facts out of it again and leave the rest."
}

func (theStudy) Terms() []study.Item {
	return slices.Concat([]study.Item{
		{Name: "Clean", About: "a model that has never seen the sensitive rows, pictures of people with captions " +
			"that tell their facts: what is to be forgotten should come to where it is there"},
		{Name: "Compromised", About: "the same with the sensitive rows: methods begin with it, and what is to be " +
			"kept should stay where it is there"},
		{Name: "Independent", About: "a Clean of other data"},
		{Name: "World", About: "people, pictures and two such models of their own; intervals are about other worlds"},
		{Name: "1x, 5x", About: "how many times a method passes over what it is to forget"},
	}, study.Glossary(Preset{}.Columns()), []study.Item{
		{Name: "Type 1, 2, 3", About: "how forgetting fails: at the cost of general knowledge; by forgetting " +
			"other people and facts, too; by hardly forgetting"},
	})
}
