package nn

import (
	"strings"

	"github.com/gomlx/gomlx/ml/model"
)

const shareParam = "unlearnkit_share"

type sharing struct {
	scope, with string
	own         func(path string) bool
}

// Share makes the model below scope read the tensors of the model below with, which has the same layers. The tensors
// whose paths, relative to scope, own accepts remain the model's own. Share affects graphs built after the call.
func Share(scope, with *model.Scope, own func(path string) bool) {
	scope.SetParam(shareParam, &sharing{scope.Scope(), with.Scope(), own})
}

// Unshare undoes [Share] of scope.
func Unshare(scope *model.Scope) { scope.SetParam(shareParam, (*sharing)(nil)) }

// tensorPath returns the path in the store of the tensor called name in scope.
func tensorPath(scope *model.Scope, name string) string {
	path := model.JoinPath(scope.Scope(), name)
	s := model.GetParamOr[*sharing](scope, shareParam, nil)
	if s == nil {
		return path
	}
	relative := strings.TrimPrefix(strings.TrimPrefix(path, s.scope), "/")
	if s.own(relative) {
		return path
	}
	return model.JoinPath(s.with, relative)
}
