package resnet

import (
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Head reports whether a tensor is in the last linear layer, which [HeadOnly] trains. The path may include the model's
// scope.
func Head(path string) bool {
	elements := strings.Split(path, "/")
	return slices.Contains(elements[:len(elements)-1], "fc")
}

// CrossEntropy returns the mean of -log softmax(logits)[label] over the batch, for labels [B] of type int32.
func CrossEntropy(logits, labels *graph.Node) *graph.Node {
	logs := graph.LogSoftmax(logits, -1)
	picked := graph.Mul(logs, graph.OneHot(labels, logits.Shape().Dimensions[1], logits.DType()))
	return graph.Neg(graph.ReduceAllMean(graph.ReduceSum(picked, 1)))
}

// HeadOnly returns the loss of the classifier as described in the text of "Unlearning or Concealment?": the
// cross-entropy for training only the last layer. The other layers run in evaluation mode and have no gradient.
func HeadOnly(scope *model.Scope, c Config, images, labels *graph.Node) *graph.Node {
	features := graph.StopGradient(Forward(scope, c, images, Mode{}).Features)
	return CrossEntropy(head(scope, c, features), labels)
}

// TripletLosses holds the loss [FullTriplet] and its terms.
type TripletLosses struct {
	Total, Classification, Triplet *graph.Node
}

// FullTriplet returns the loss of the classifier as in the code of "Unlearning or Concealment?": the cross-entropy of
// anchors [B, 3, H, W] plus the [Triplet] loss of their features. Each anchor has one positive [B, 3, H, W] of the same
// class, and K negatives [B, K, 3, H, W] of the other class. The network is applied to the three sets one after
// another, so each is normalised with its own statistics and updates the running ones. The paper uses the margin 1 and
// K = 3.
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

// Triplet returns the mean of max(0, ‖a-p‖ - min_k ‖a-n_k‖ + margin) over the batch, for features of anchors and
// positives [B, D] and of negatives [B, K, D]. As in PyTorch, only the first of equally near negatives has a gradient,
// and the gradient of a zero distance is 0.
func Triplet(anchor, positive, negatives *graph.Node, margin float64) *graph.Node {
	distances := norm(graph.Sub(graph.InsertAxes(anchor, 1), negatives))
	nearest := graph.OneHot(graph.ArgMin(distances, 1, dtypes.Int32), distances.Shape().Dimensions[1],
		distances.DType())
	hardest := graph.ReduceSum(graph.Mul(distances, nearest), 1)
	loss := graph.AddScalar(graph.Sub(norm(graph.Sub(anchor, positive)), hardest), margin)
	return graph.ReduceAllMean(graph.Max(loss, graph.ScalarZero(loss.Graph(), loss.DType())))
}

// norm returns the Euclidean norm over the last axis. The square root has an infinite gradient at zero, so it is not
// applied to zero.
func norm(x *graph.Node) *graph.Node {
	square := graph.ReduceSum(graph.Square(x), -1)
	zero := graph.ZerosLike(square)
	isZero := graph.Equal(square, zero)
	return graph.Where(isZero, zero, graph.Sqrt(graph.Where(isZero, graph.OnesLike(square), square)))
}
