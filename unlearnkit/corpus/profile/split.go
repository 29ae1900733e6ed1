package profile

// Split is the purpose of a question.
type Split string

// The splits. A model learns from Train. Test has its own templates and pictures. The other splits ask for facts of
// Train with pictures of Train: in different words, for the name that belongs to a value, and in the first person.
const (
	Train       Split = "train"
	Test        Split = "test"
	Paraphrase  Split = "paraphrase"
	Reverse     Split = "reverse"
	FirstPerson Split = "first_person"
)

// Hop is the kind of a question: it names its person, or only the picture identifies the person.
type Hop string

// The two kinds of questions.
const (
	Single Hop = "single" // names the person or, if it asks for the name, gives another attribute of the person
	Multi  Hop = "multi"  // does not
)
