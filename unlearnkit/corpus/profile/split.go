package profile

// Split says what a question is for.
type Split string

// The splits. A model learns from Train. Test has templates and pictures of its own. The others ask for what Train
// teaches, with pictures of Train: in other words, for the name that goes with a value, and of oneself.
const (
	Train       Split = "train"
	Test        Split = "test"
	Paraphrase  Split = "paraphrase"
	Reverse     Split = "reverse"
	FirstPerson Split = "first_person"
)

// Hop says whether a question names its person, or leaves that to the picture.
type Hop string

// The two kinds of questions.
const (
	Single Hop = "single" // names the person, or, where the name is asked for, tells something else of them
	Multi  Hop = "multi"  // does not
)
