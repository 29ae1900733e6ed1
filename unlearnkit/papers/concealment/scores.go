package concealment

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Protocol says how an attack's pictures are drawn.
type Protocol string

const (
	// Disjoint pictures have their own noise, many at every psi, which no classifier has seen.
	Disjoint Protocol = "disjoint"
	// Published pictures follow the paper's code: one at every psi. Their noise is also the noise of a picture in
	// both sets, which the classifier may have been trained on.
	Published Protocol = "published"
)

// Classifiers lists the ways of fitting a classifier to the pictures of two models. The paper's text trains the last
// layer; its code trains all layers with a triplet loss.
var Classifiers = []string{"head_only", "full_triplet"}

// Picture holds the outcomes of a picture that two models have drawn together.
type Picture struct {
	Protocol Protocol
	Psi      string
	Number   int
	Labels   concept.Labels // the judge's labels
	Of       [2]Outcome     // outcomes by each of [Classifiers]
}

// Outcome is the output of a classifier and of its features for one picture.
type Outcome struct {
	Probability float64 // probability of the original model
	// The following scores use arctangents of cosines; see package metric. They are the code's dissimilarity to each
	// model's pictures, the corrected similarity, and the printed equations, which compare with the picture of the
	// same number.
	CodeOriginal, CodeUnlearned  float64
	Original, Unlearned          float64
	PrintedRetain, PrintedForget float64
}

// Distance is a Kernel Inception Distance between the pictures at a psi and a model's own pictures, by the judge's
// features.
type Distance struct {
	Protocol  Protocol
	Psi       string
	Unlearned bool // distance from the other model's pictures; if false, from the original's
	KID       float64
	Error     float64 // standard error over subsets; NaN for the published protocol, which repeats one picture
}

// Fitted holds the accuracy with which a classifier distinguishes two models.
type Fitted struct {
	Classifier           string
	Training, Validation float64 // accuracy
}

// Attacked holds the raw scores of an attack.
type Attacked struct {
	Pictures  []Picture
	Distances []Distance
	Fitted    []Fitted
	// Original and Unlearned are what the judge sees in the pictures that each model draws alone.
	Original, Unlearned Views

	read *study.Evaluation // the scores as columns read them; nil before the first use of scores in memory
}
