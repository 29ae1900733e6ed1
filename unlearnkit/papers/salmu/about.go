package salmu

import "github.com/unlearnlab/unlearnlab/unlearnkit/study"

func (theStudy) About() string {
	return "CLIP learns which picture goes with which caption, and on the way who has which phone number. The " +
		"paper asks whether nine methods can take such facts out of it again and leave the rest."
}

func (theStudy) Terms() []study.Item {
	return []study.Item{
		{Name: "Clean", About: "a model that has never seen the sensitive rows, pictures of people with captions " +
			"that tell their facts: what is to be forgotten should come to where it is there"},
		{Name: "Compromised", About: "the same with the sensitive rows: methods begin with it, and what is to be " +
			"kept should stay where it is there"},
		{Name: "Independent", About: "a Clean of other data"},
		{Name: "World", About: "people, pictures and two such models of their own; intervals are about other worlds"},
		{Name: "1x, 5x", About: "how many times a method passes over what it is to forget"},
		{Name: "RetFail", About: "the mean of 1/rank of a picture's own sensitive caption among many: 1 where " +
			"every fact leaks"},
		{Name: "AssocStr, CoreAssoc", About: "the mean cosine of a picture with that caption, and with its bare " +
			"name and value"},
		{Name: "ACS", About: "how often a classifier of cosines tells such captions from shuffled ones: a coin " +
			"has .5"},
		{Name: "IdZSC", About: "how often the right name is found among all"},
		{Name: "GenKnow", About: "general knowledge: how often the class of an object is found"},
		{Name: "InterIdSim, IntraIdSim", About: "cosines of sensitive rows that no method is asked to forget: of " +
			"other people, and of the same people with other facts"},
		{Name: "VisIdInt, FragSim", About: "cosines with captions that tell nothing: of sensitive people, and of " +
			"those strangers whom Compromised likes least"},
		{Name: "Type 1, 2, 3", About: "how forgetting fails: at the cost of general knowledge; by forgetting " +
			"other people and facts, too; by hardly forgetting"},
	}
}
