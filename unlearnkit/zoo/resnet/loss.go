package resnet

import (
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Head reports whether a tensor belongs to the last linear layer, which [HeadOnly] trains. The path may include the
// model's scope.
func Head(path string) bool {
	elements := strings.Split(path, "/")
	return slices.Contains(elements[:len(elements)-1], "fc")
}

// CrossEntropy returns the mean over the batch of -log softmax(logits)[label], for labels [B] of int32.
func CrossEntropy(logits, labels *graph.Node) *graph.Node {
	logs := graph.LogSoftmax(logits, -1)
	picked := graph.Mul(logs, graph.OneHot(labels, logits.Shape().Dimensions[1], logits.DType()))
	return graph.Neg(graph.ReduceAllMean(graph.ReduceSum(picked, 1)))
}

// HeadOnly returns the loss of the classifier in the text of "Unlearning or Concealment?": the cross-entropy of the
// last layer alone. The other layers run as in evaluation and have no gradient.
func HeadOnly(scope *model.Scope, c Config, images, labels *graph.Node) *graph.Node {
	features := graph.StopGradient(Forward(scope, c, images, Mode{}).Features)
	return CrossEntropy(head(scope, c, features), labels)
}

// TripletLosses holds the terms of [FullTriplet].
type TripletLosses struct {
	Total, Classification, Triplet *graph.Node
}

// FullTriplet returns the loss of the classifier in the code of "Unlearning or Concealment?": the cross-entropy of the
// anchors [B, 3, H, W] plus the [Triplet] loss of their features. Each anchor has one positive [B, 3, H, W], a picture
// of the same class, and K negatives [B, K, 3, H, W] of the other class. The network trains on the three sets one after
// the other, so each is normalised by its own statistics and updates the running ones. The paper's margin is 1 and its
// K is 3.
func FullTriplet(scope *model.Scope, c Config, anchors, positives, negatives, labels *graph.Node,
	margin float64) TripletLosses {
	training := Mode{Training: true}
	dimensions := negatives.Shape().Dimensions
	anchor := Forward(scope, c, anchors, training)
	positive := Forward(scope, c, positives, training).Features
	flat := graph.Reshape(negatives, dimensions[0]*dimensions[1], dimensions[2], dimensions[3], dimensions[4])
	negative := graph.Reshape(Forward(scope, c, flat, training).Features, dimensions[0], dimensions[1],
		c.FeatureWidth())
	losses := TripletLosses{Classification: CrossEntropy(anchor.Logits, labels),
		Triplet: Triplet(anchor.Features, positive, negative, margin)}
	losses.Total = graph.Add(losses.Classification, losses.Triplet)
	return losses
}

// Triplet returns the mean over the batch of max(0, ‖a-p‖ - min_k ‖a-n_k‖ + margin) for the features of anchors and
// positives [B, D] and of negatives [B, K, D]. Among equally near negatives the first has the gradient, and a distance
// of zero has the gradient 0, as in PyTorch.
func Triplet(anchor, positive, negatives *graph.Node, margin float64) *graph.Node {
	distances := norm(graph.Sub(graph.InsertAxes(anchor, 1), negatives))
	nearest := graph.OneHot(graph.ArgMin(distances, 1, dtypes.Int32), distances.Shape().Dimensions[1],
		distances.DType())
	hardest := graph.ReduceSum(graph.Mul(distances, nearest), 1)
	loss := graph.AddScalar(graph.Sub(norm(graph.Sub(anchor, positive)), hardest), margin)
	return graph.ReduceAllMean(graph.Max(loss, graph.ScalarZero(loss.Graph(), loss.DType())))
}

// norm returns the Euclidean norm over the last axis. The root's gradient is infinite at zero, so zero bypasses it.
func norm(x *graph.Node) *graph.Node {
	square := graph.ReduceSum(graph.Square(x), -1)
	zero := graph.ZerosLike(square)
	isZero := graph.Equal(square, zero)
	return graph.Where(isZero, zero, graph.Sqrt(graph.Where(isZero, graph.OnesLike(square), square)))
}
