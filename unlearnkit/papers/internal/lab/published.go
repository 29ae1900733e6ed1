package lab

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// publishedFile names a published model in its artifact. The weights stay where the user has them: they are large, and
// not everybody may pass them on.
const publishedFile = "published.json"

// KeepPublished takes a published model, whose tensors the scope has, into a study by its spec alone.
func KeepPublished(w *store.Work, scope *model.Scope, spec any) error {
	w.Note("parameters", Parameters(scope))
	content, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	return os.WriteFile(w.Path(publishedFile), content, 0o644)
}

// Published is the spec of the published model that an artifact stands for; false where it has a model of its own.
func Published[Spec any](artifact *store.Artifact) (spec Spec, published bool, err error) {
	if !artifact.Has(publishedFile) {
		return spec, false, nil
	}
	content, err := artifact.ReadFile(publishedFile)
	if err == nil {
		err = json.Unmarshal(content, &spec)
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", artifact.Path(publishedFile), err)
	}
	return spec, true, err
}
