package unslu

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func (theStudy) About() string {
	return "A speech model learns what is asked for from recordings of many speakers, of whom some ask to be " +
		"forgotten. The paper compares eight methods with training anew, and proposes GUM, one number for " +
		"quality, privacy and speed."
}

func (theStudy) Terms() []study.Item {
	return slices.Concat([]study.Item{
		{Name: "Orig.", About: "the model that has heard all speakers: methods begin with it"},
		{Name: "Gold", About: "a model that was trained without those who are to be forgotten: what a method " +
			"should come to"},
	}, study.Glossary([]study.Metric{f1(Test), accuracy(Test), mia(Test), speedup("Speedup", Wall), gum("GUM"),
		noMUS("NoMUS", f1(Test))}), []study.Item{
		{Name: "NG, NG+", About: "ascent on what is to be forgotten, alone and beside descent on what is kept"},
		{Name: "FT, CF-k", About: "training on with what is kept: the whole model, and its last layers alone"},
		{Name: "UNSIR, BT, BT-L, SCRUB", About: "by noise that spoils what is to be forgotten; by a teacher that " +
			"knows nothing, or says it at random; by a teacher that is followed on what is kept and fled from on " +
			"the rest"},
	})
}
