package remem

import "github.com/unlearnlab/unlearnlab/unlearnkit/study"

func (theStudy) About() string {
	return "A vision-language model is taught people who do not exist, and then made to forget some of them. The " +
		"paper says that older benchmarks ask for what was never learnt, and teaches in a hundred pictures and " +
		"questions a person."
}

func (theStudy) Terms() []study.Item {
	return []study.Item{
		{Name: "Before", About: "the model that has learnt everybody: methods begin with it"},
		{Name: "Gold", About: "a model that has learnt all but those who are to be forgotten: what a method " +
			"should come to"},
		{Name: "S, L", About: "the smaller and the larger model"},
		{Name: "Single-hop, multi-hop", About: "questions that name the person, and such that show a picture alone"},
		{Name: "EM_r, EM_f, EM_t", About: "how often an answer has the fact, in percent: of those who are kept; " +
			"of those to be forgotten; of the latter in unseen words and pictures"},
		{Name: "ROUGE", About: "how many of the true answer's words come in their order, of those who are kept"},
		{Name: "GPT", About: "how much of the truth is in answers about those to be forgotten, from 0 to 100, as " +
			"rules score it in place of a language model"},
		{Name: "Exp", About: "Exposure: the place of the true value among all that it may be, by what the model " +
			"finds likely; 100 is the first. A model that never learnt it has what gold has, a random ranking 50"},
		{Name: "Min-k%, inverse perplexity", About: "how likely the model finds a name: at its least likely " +
			"words, and as a whole"},
		{Name: "GA, GD, NPO", About: "three of the methods: ascent on what is to be forgotten, the same beside " +
			"descent on what is kept, and ascent that slows down as it succeeds"},
	}
}
