package study

import "maps"

// Labels describe a run's role in a plan, such as {"model": "gold", "benchmark": "FSC/HuBERT"}. They are not part of
// the run's key: a run that is planned twice has two roles.
type Labels map[string]string

// With returns a copy of the labels with one more label.
func (l Labels) With(key, value string) Labels {
	all := maps.Clone(l)
	if all == nil {
		all = Labels{}
	}
	all[key] = value
	return all
}
