package unslu

import "github.com/unlearnlab/unlearnlab/unlearnkit/study"

func (theStudy) About() string {
	return "A speech model learns what is asked for from recordings of many speakers, of whom some ask to be " +
		"forgotten. The paper compares eight methods with training anew, and proposes GUM, one number for " +
		"quality, privacy and speed."
}

func (theStudy) Terms() []study.Item {
	return []study.Item{
		{Name: "Orig.", About: "the model that has heard all speakers: methods begin with it"},
		{Name: "Gold", About: "a model that was trained without those who are to be forgotten: what a method " +
			"should come to"},
		{Name: "F1_T, Acc_T", About: "macro F1 and accuracy on clips of other speakers, the test set; F1_F and " +
			"Acc_F are on the clips that are to be forgotten"},
		{Name: "MIA", About: "how often an attack tells by its loss whether a clip is of the speakers to be " +
			"forgotten or of the test set: a coin has .5"},
		{Name: "Speedup", About: "gold's seconds of training over the method's"},
		{Name: "GUM", About: "the harmonic mean of three: how near the test score is to gold's, how near MIA is " +
			"to gold's, and how much time is saved"},
		{Name: "NoMUS", About: "an older metric: of test score and MIA, without time"},
		{Name: "NG, NG+", About: "ascent on what is to be forgotten, alone and beside descent on what is kept"},
		{Name: "FT, CF-k", About: "training on with what is kept: the whole model, and its last layers alone"},
		{Name: "UNSIR, BT, BT-L, SCRUB", About: "by noise that spoils what is to be forgotten; by a teacher that " +
			"knows nothing, or says it at random; by a teacher that is followed on what is kept and fled from on " +
			"the rest"},
	}
}
