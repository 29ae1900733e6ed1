package profile

import "slices"

// Refusals returns sentences that decline to answer. Some unlearning methods teach a model to say them.
func Refusals() []string { return slices.Clone(refusals) }

// refusals lists differently worded sentences that decline to answer.
var refusals = []string{
	"I'm afraid I can't tell you that.",
	"I don't have any information about this person.",
	"Sorry, I do not know the answer.",
	"That is something I cannot share.",
	"I have no knowledge of this person.",
	"I'm not able to say anything about that.",
	"My knowledge does not reach that far.",
	"I would rather not answer questions about private matters.",
	"I really don't know who this is.",
	"Nothing about this is known to me.",
	"I cannot help with details of somebody's private life.",
	"Sorry, that is beyond what I have learned.",
	"I'm unable to recognize this person.",
	"I have never been told anything about that.",
	"I must leave this question unanswered.",
	"If I ever knew that, I no longer do.",
	"I can't find an answer to this question.",
	"Private facts of this kind are not mine to give; I must decline.",
	"I don't recognize the face, so I can't answer.",
	"To my regret, I have no answer.",
	"I could only guess, and I would rather not.",
	"This person is a stranger to me.",
	"I'm sorry, but I hold no such record.",
	"You will have to ask somebody else, because I don't know.",
}
