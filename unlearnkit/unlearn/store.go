package unlearn

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/ml/model"
)

// Where the engine keeps models in a store. What the optimizer of a phase remembers is beside them.
const (
	Policy    = "policy"
	Reference = "reference" // the frozen model, where a method asks for one, until its run ends
)

// start checks that there is a policy with values, and returns a sum of them: a checkpoint belongs to the values from
// which its run started, and so does the reference.
func (j Job[V]) start() (string, error) {
	digest := sha256.New()
	variables := slices.SortedFunc(j.Store.Scope("/"+Policy).IterVariables(), func(a, b *model.Variable) int {
		return strings.Compare(a.Path(), b.Path())
	})
	for _, variable := range variables {
		value, err := variable.Value()
		if err == nil {
			fmt.Fprintf(digest, "%s %v\n", variable.Path(), variable.Shape())
			err = value.ConstBytes(func(bytes []byte) { digest.Write(bytes) })
		}
		if err != nil {
			return "", fmt.Errorf("method %s: the model's tensor %s: %w", j.Method.Name, variable.Path(), err)
		}
	}
	if len(variables) == 0 {
		return "", fmt.Errorf("method %s: the store has no model below %q: load one there", j.Method.Name, Policy)
	}
	return hex.EncodeToString(digest.Sum(nil)[:8]), nil
}

// freeze copies the policy, before its first step, to where the reference is read.
func (j Job[V]) freeze() error {
	for _, variable := range slices.Collect(j.Store.Scope("/" + Policy).IterVariables()) {
		path := "/" + Reference + strings.TrimPrefix(variable.Path(), "/"+Policy)
		value, err := variable.Value()
		if err != nil {
			return err
		}
		if value, err = value.LocalClone(); err != nil {
			return err
		}
		if j.Store.GetVariable(path) != nil {
			return fmt.Errorf("method %s: the store has a %s already, where the engine keeps the frozen model",
				j.Method.Name, path)
		}
		frozen, err := j.Store.CreateVariable(path, value)
		if err != nil {
			return err
		}
		frozen.SetTrainable(false)
	}
	return nil
}

// clear removes from the store what the engine has put beside the policy, so that another run does not go on with it.
func (j Job[V]) clear(phases []Phase[V]) {
	if j.Method.Reference {
		j.Store.DeleteVariablesInScope("/" + Reference) //nolint:errcheck // fails only in a loader of variables
	}
	for number := range phases {
		j.Store.DeleteVariablesInScope("/" + optimizerScope(number)) //nolint:errcheck // as above
	}
}

func optimizerScope(phase int) string { return fmt.Sprintf("optimizer_%d", phase) }
