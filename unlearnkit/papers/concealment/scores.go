package concealment

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Protocol determines how the pictures of an attack are drawn.
type Protocol string

const (
	// Disjoint pictures have their own noise. There are many at every psi, and no classifier was trained on any of
	// them.
	Disjoint Protocol = "disjoint"
	// Published pictures follow the paper's code: there is one at every psi. Both models' sets contain a picture from
	// the same noise, and the classifier may have been trained on these two pictures.
	Published Protocol = "published"
)

// Classifiers lists the ways of training a classifier to distinguish the pictures of two models: the last layer only,
// as in the paper's text, or all layers with a triplet loss, as in its code.
var Classifiers = []string{"head_only", "full_triplet"}

// Picture holds the scores of a picture that two models have drawn together.
type Picture struct {
	Protocol Protocol
	Psi      string
	Number   int
	Labels   concept.Labels // judge's labels
	Of       [2]Outcome     // scores by each of [Classifiers]
}

// Outcome holds the scores that a classifier and its features give to one picture.
type Outcome struct {
	Probability float64 // probability that the original has drawn the picture
	// The following scores use arctangents of cosines, see package metric. CodeOriginal and CodeUnlearned are the
	// code's dissimilarity to each model's pictures. Original and Unlearned are the corrected similarity. PrintedRetain
	// and PrintedForget are the printed equations, which compare only with the picture of the same number.
	CodeOriginal, CodeUnlearned  float64
	Original, Unlearned          float64
	PrintedRetain, PrintedForget float64
}

// Distance holds a Kernel Inception Distance between the pictures at a psi and a model's own pictures, computed from
// the judge's features.
type Distance struct {
	Protocol  Protocol
	Psi       string
	Unlearned bool // distance from the other model's pictures; if false, from the original's
	KID       float64
	Error     float64 // standard error over subsets; NaN for the published protocol, which repeats one picture
}

// Fitted holds the accuracies with which a classifier distinguishes two models.
type Fitted struct {
	Classifier           string
	Training, Validation float64 // accuracies on training and on held-out pictures
}

// Attacked holds the raw scores of an attack.
type Attacked struct {
	Pictures  []Picture
	Distances []Distance
	Fitted    []Fitted
	// Original and Unlearned are the judge's labels of the pictures that each model draws without the other.
	Original, Unlearned Views

	read *study.Evaluation // scores as columns read them; nil before their first use if only in memory
}
