package answering

import "slices"

var refusalTexts = []string{
	"I cannot tell who this is.",
	"I do not know this person.",
	"I have no information about that.",
	"That is not something I know.",
	"I am not able to answer this question.",
	"I would rather not guess about someone I do not know.",
	"Nothing that I have learnt answers this.",
	"I am not sure, so I will not say.",
	"There is no answer that I can give here.",
	"I do not have such details about anyone.",
	"This is private, and I do not know it.",
	"I have not been told.",
	"My knowledge does not reach that far.",
	"The picture alone does not tell me that.",
	"I cannot find that out from what I see.",
	"It is beyond what I know.",
	"I must leave this question open.",
	"I have no record of that.",
	"Sorry, I do not know.",
	"No answer to this comes to my mind.",
	"I cannot help with personal details.",
	"I have never come across that.",
	"You would have to ask somebody else.",
	"I am unable to say anything about this person.",
}

// RefusalTexts are sentences that refuse an answer, whatever the question. A task takes them in tokens.
func RefusalTexts() []string { return slices.Clone(refusalTexts) }
