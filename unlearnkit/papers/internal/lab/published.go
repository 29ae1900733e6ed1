package lab

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// PublishedFile is the name of the file in an artifact that identifies a published model. The weights stay in the
// user's folder, because they are large and their licence may forbid copies.
const PublishedFile = "published.json"

// KeepPublished stores only the spec of a published model in an artifact, without the weights. The scope holds the
// model's tensors.
func KeepPublished(w *store.Work, scope *model.Scope, spec any) error {
	w.Note("parameters", Parameters(scope))
	content, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	return os.WriteFile(w.Path(PublishedFile), content, 0o644)
}

// Published returns the spec of the published model that an artifact refers to. It returns false if the artifact holds
// its own weights.
func Published[Spec any](artifact *store.Artifact) (spec Spec, published bool, err error) {
	if !artifact.Has(PublishedFile) {
		return spec, false, nil
	}
	content, err := artifact.ReadFile(PublishedFile)
	if err == nil {
		err = json.Unmarshal(content, &spec)
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", artifact.Path(PublishedFile), err)
	}
	return spec, true, err
}
