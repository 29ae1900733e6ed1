package catalogue

import "fmt"

// Work is the cost of one pass, counted in passes of examples through the network: forward counts one and backward two.
// It does not depend on the machine, so tables of speed can be compared.
type Work struct{ Retain, Forget float64 } // work for each example of the retain set and of the forget set

// Training returns the work of one epoch of training on the given number of examples.
func Training(examples int) float64 { return 3 * float64(examples) }

// Cost returns the work of a run with one pass for the given values and numbers of examples.
func (e Entry) Cost(values map[string]float64, retain, forget int) (float64, error) {
	if e.Work == nil {
		return 0, fmt.Errorf("method %s: its work is not known: give its entry a Work", e.Name)
	}
	if retain < 0 || forget < 0 {
		return 0, fmt.Errorf("method %s: the work of %d examples to be kept and %d to be forgotten: neither can be "+
			"below 0", e.Name, retain, forget)
	}
	if err := e.Check(values); err != nil {
		return 0, err
	}
	var mistake error
	work := e.Work(func(name string) float64 {
		if value, given := values[name]; given {
			return value
		}
		setting, err := e.Setting(name)
		if err != nil && mistake == nil {
			mistake = err
		}
		return setting.Default
	})
	return work.Retain*float64(retain) + work.Forget*float64(forget), mistake
}
