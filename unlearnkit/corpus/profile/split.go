package profile

// Split is the purpose of a question: training, the test, or a probe.
type Split string

// The splits. Train is for training. Test has its own templates and pictures. The other splits ask for facts of Train
// with pictures of Train: in different words, for the name that belongs to a value, and in the first person.
const (
	Train       Split = "train"
	Test        Split = "test"
	Paraphrase  Split = "paraphrase"
	Reverse     Split = "reverse"
	FirstPerson Split = "first_person"
)

// Hop states how a question identifies its person: by name, or only by the picture.
type Hop string

// The two kinds of questions.
const (
	Single Hop = "single" // names the person, or gives another attribute if it asks for the name
	Multi  Hop = "multi"  // identifies the person only by the picture
)
