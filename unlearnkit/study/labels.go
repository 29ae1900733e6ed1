package study

import "maps"

// Labels describe a run in one of its roles: {"model": "gold", "benchmark": "FSC/HuBERT"}. They are not part of the
// run's key, so a run that is planned twice has two roles.
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

// Role returns the labels under which the run was planned first.
func (r *Run) Role() Labels { return r.roles[0] }

// Labelled returns the value of a label in the first role that has it, or "".
func (r *Run) Labelled(key string) string {
	for _, role := range r.roles {
		if value, has := role[key]; has {
			return value
		}
	}
	return ""
}

// Label adds a label to every role of the run.
func (r *Run) Label(key, value string) {
	for i, role := range r.roles {
		r.roles[i] = role.With(key, value)
	}
}
