package profile

// Split is the purpose of a question: training, test or probe.
type Split string

// Splits. Train is for training. Test has its own templates and pictures. The other splits ask about the facts and
// pictures of Train: Paraphrase in other words, Reverse for the name that belongs to a value, and FirstPerson in the
// first person.
const (
	Train       Split = "train"
	Test        Split = "test"
	Paraphrase  Split = "paraphrase"
	Reverse     Split = "reverse"
	FirstPerson Split = "first_person"
)

// Hop states how a question identifies its person: by name, or only by the picture.
type Hop string

// Kinds of questions.
const (
	Single Hop = "single" // names the person, or gives another attribute if it asks for the name
	Multi  Hop = "multi"  // identifies the person only by the picture
)
