package wav2vec2

import (
	"slices"
	"strconv"
	"strings"
)

// The functions below select the parts of a model that methods freeze or train. Each accepts the path of a tensor, with
// or without the model's scope.

// FeatureEncoder reports whether a tensor is part of the convolutions, which the transformers library's
// freeze_feature_encoder freezes.
func FeatureEncoder(path string) bool {
	return slices.Contains(strings.Split(path, "/"), "feature_extractor")
}

// EncoderLayer returns the transformer layer that a tensor belongs to; ok is false if it belongs to none.
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

// Head reports whether a tensor belongs to the head for intents: projector, classifier and the weights of the layers'
// sum.
func Head(path string) bool {
	elements := strings.Split(path, "/")
	if elements[len(elements)-1] == "layer_weights" {
		return true
	}
	return isChild(elements, "projector") || isChild(elements, "classifier")
}

// LastChildren returns a function that selects the tensors of the last k of the model's children backbone, projector
// and classifier. Forgetting by fine-tuning the last k layers (CF-k) trains these. With k = 1 it selects only the
// classifier.
func LastChildren(k int) func(path string) bool {
	trained := []string{"classifier", "projector"}[:min(max(k, 0), 2)]
	return func(path string) bool {
		elements := strings.Split(path, "/")
		return k > 2 || slices.ContainsFunc(trained, func(child string) bool { return isChild(elements, child) })
	}
}

// isChild reports whether the path's second-to-last element is the child.
func isChild(elements []string, child string) bool {
	return len(elements) > 1 && elements[len(elements)-2] == child
}
