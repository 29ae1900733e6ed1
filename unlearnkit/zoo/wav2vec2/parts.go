package wav2vec2

import (
	"slices"
	"strconv"
	"strings"
)

// The functions below select the parts of a model that methods freeze or train. They take the path of a tensor with or
// without the model's scope.

// FeatureEncoder reports whether a tensor belongs to the convolutions, which freeze_feature_encoder freezes in the
// transformers library.
func FeatureEncoder(path string) bool {
	return slices.Contains(strings.Split(path, "/"), "feature_extractor")
}

// EncoderLayer returns the index of the transformer layer to which a tensor belongs, or false if there is none.
func EncoderLayer(path string) (layer int, ok bool) {
	elements := strings.Split(path, "/")
	for i := 1; i+1 < len(elements); i++ {
		if elements[i-1] == "encoder" && elements[i] == "layers" {
			layer, err := strconv.Atoi(elements[i+1])
			return layer, err == nil
		}
	}
	return 0, false
}

// Head reports whether a tensor belongs to the intent head: the projector, the classifier and the weights for the sum
// of layers.
func Head(path string) bool {
	elements := strings.Split(path, "/")
	if elements[len(elements)-1] == "layer_weights" {
		return true
	}
	return isChild(elements, "projector") || isChild(elements, "classifier")
}

// LastChildren returns a function that selects the tensors of the last k of the children backbone, projector and
// classifier. Forgetting by fine-tuning the last k layers (CF-k) trains these. For k = 1, this is only the classifier.
func LastChildren(k int) func(path string) bool {
	trained := []string{"classifier", "projector"}[:min(max(k, 0), 2)]
	return func(path string) bool {
		elements := strings.Split(path, "/")
		return k > 2 || slices.ContainsFunc(trained, func(child string) bool { return isChild(elements, child) })
	}
}

// isChild reports whether the second-to-last element of a path is child.
func isChild(elements []string, child string) bool {
	return len(elements) > 1 && elements[len(elements)-2] == child
}
