package unlearn

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// Scopes of the engine's models in a store. The state of a phase's optimizer is stored next to them.
const (
	Policy    = "policy"
	Reference = "reference" // the frozen model, which exists until the run ends if the method needs it
)

// start checks that the run's initial models have values, and returns checksums of them. A checkpoint belongs to the
// values from which its run started, and so does the reference.
func (j Job[V]) start() (string, error) {
	sums, err := j.sum(Policy)
	for _, name := range j.Method.Frozen {
		var sum string
		if err == nil {
			err = j.checkFrozen(name)
		}
		if err == nil {
			sum, err = j.sum(name)
		}
		sums += " beside " + sum
	}
	return sums, err
}

// checkFrozen returns an error if an additional frozen model is not usable. A missing tensor would be filled with
// random numbers.
func (j Job[V]) checkFrozen(name string) error {
	root := "/" + name
	if name == "" || name == Policy || name == Reference || strings.Contains(name, "/") ||
		strings.HasPrefix(name, optimizerPrefix) {
		return fmt.Errorf("method %s: a frozen model cannot be called %q", j.Method.Name, name)
	}
	for variable := range j.Store.Scope("/" + Policy).IterVariables() {
		path := root + strings.TrimPrefix(variable.Path(), "/"+Policy)
		frozen := j.Store.GetVariable(path)
		if frozen == nil || !frozen.Shape().Equal(variable.Shape()) {
			return fmt.Errorf("method %s: the frozen model %q has no tensor %s of the shape %v, as the policy has: "+
				"put the whole model into the store below %q", j.Method.Name, name, path, variable.Shape(), name)
		}
	}
	return nil
}

// sum returns a checksum of the values of the model below a name.
func (j Job[V]) sum(name string) (string, error) {
	digest := sha256.New()
	variables := slices.SortedFunc(j.Store.Scope("/"+name).IterVariables(), func(a, b *model.Variable) int {
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
		return "", fmt.Errorf("method %s: the store has no model below %q: load one there", j.Method.Name, name)
	}
	return hex.EncodeToString(digest.Sum(nil)[:8]), nil
}

// freeze makes the reference before the first step. The reference has copies of the tensors that the run may change, and
// reads the policy's other tensors. Copies that the store has already are kept.
func (j Job[V]) freeze(phases []Phase[V]) error {
	changes := j.changes(phases)
	nn.Share(j.Store.Scope("/"+Reference), j.Store.Scope("/"+Policy), changes)
	for _, variable := range slices.Collect(j.Store.Scope("/" + Policy).IterVariables()) {
		name := strings.TrimPrefix(variable.Path(), "/"+Policy)
		path := "/" + Reference + name
		if !changes(name[1:]) || j.Store.GetVariable(path) != nil {
			continue
		}
		value, err := variable.Value()
		if err != nil {
			return err
		}
		if value, err = value.LocalClone(); err != nil {
			return err
		}
		frozen, err := j.Store.CreateVariable(path, value)
		if err != nil {
			return err
		}
		frozen.SetTrainable(false)
	}
	return nil
}

// changes returns a function that reports whether the phases may change the policy's tensor at a path. A tensor that is
// not trainable, such as a running mean, may change in the forward pass.
func (j Job[V]) changes(phases []Phase[V]) func(path string) bool {
	return func(path string) bool {
		variable := j.Store.GetVariable("/" + Policy + "/" + path)
		if variable == nil || !variable.Trainable || j.Task.After != nil {
			return true
		}
		return slices.ContainsFunc(phases, func(p Phase[V]) bool {
			return p.Perturb != nil || p.Optimizer.Select == nil || p.Optimizer.Select(path) != 0
		})
	}
}

// checkNoReference returns an error if the store has tensors where the engine keeps the reference.
func (j Job[V]) checkNoReference() error {
	for variable := range j.Store.Scope("/" + Reference).IterVariables() {
		return fmt.Errorf("method %s: the store has a %s already, where the engine keeps the frozen model",
			j.Method.Name, variable.Path())
	}
	return nil
}

// clear removes the engine's other state from the store, so that the next run does not continue with it.
func (j Job[V]) clear(phases []Phase[V]) {
	if j.Method.Reference {
		j.Store.DeleteVariablesInScope("/" + Reference) //nolint:errcheck // GoMLX always returns nil
		nn.Unshare(j.Store.Scope("/" + Reference))
	}
	for _, name := range j.Method.Frozen {
		j.Store.DeleteVariablesInScope("/" + name) //nolint:errcheck // as above
	}
	for number := range phases {
		j.Store.DeleteVariablesInScope("/" + optimizerScope(number)) //nolint:errcheck // as above
	}
}

const optimizerPrefix = "optimizer_"

func optimizerScope(phase int) string { return fmt.Sprintf("%s%d", optimizerPrefix, phase) }
