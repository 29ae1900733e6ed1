package concealment

import "github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"

// Protocol says how an attack's pictures come about.
type Protocol string

const (
	// Disjoint pictures have noise of their own, many at every psi, which no classifier has seen.
	Disjoint Protocol = "disjoint"
	// Published pictures are as in the paper's code: one at every psi, from noise that is also that of a picture in
	// both sets, which the classifier may have learnt from.
	Published Protocol = "published"
)

// Classifiers are the ways of fitting a classifier to the pictures of two models: the paper's text trains the last
// layer, its code all layers with a triplet loss.
var Classifiers = []string{"head_only", "full_triplet"}

// Picture is the outcomes of a picture that two models have drawn together.
type Picture struct {
	Protocol Protocol
	Psi      string
	Number   int
	Labels   concept.Labels // what the judge takes it for
	Of       [2]Outcome     // by each of [Classifiers]
}

// Outcome is what a classifier and its features say of a picture.
type Outcome struct {
	Probability float64 // of the original model
	// Of the arctangents of cosines, see package metric: the code's dissimilarity to the pictures of either model, the
	// corrected similarity, and the printed equations, which pair the picture with that of the same number.
	CodeOriginal, CodeUnlearned  float64
	Original, Unlearned          float64
	PrintedRetain, PrintedForget float64
}

// Distance is a Kernel Inception Distance between the pictures at a psi and those of a model, by features of the judge.
type Distance struct {
	Protocol  Protocol
	Psi       string
	Unlearned bool // from the other model's pictures; from the original's if not
	KID       float64
	Error     float64 // standard error over subsets; NaN for the published protocol, which repeats one picture
}

// Fitted is how well a classifier has learnt to tell two models apart.
type Fitted struct {
	Classifier           string
	Training, Validation float64 // accuracy
}

// Attacked is the raw scores of an attack.
type Attacked struct {
	Pictures  []Picture
	Distances []Distance
	Fitted    []Fitted
	// Original and Unlearned are what the judge sees in the pictures that each model draws alone.
	Original, Unlearned Views
}
